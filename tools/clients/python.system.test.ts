// Runs the tests of the Python client against the whole system.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { anOwner, setStage, type Owner, type Stage } from "../stage/index.ts";
import { mayDoWithoutPython, runPython } from "./run-python.ts";

describe.skipIf(mayDoWithoutPython())("the Python client and the whole system", () => {
  let stage: Stage;
  let owner: Owner;
  beforeAll(async () => {
    stage = await setStage();
    stage.chain.mineEvery(200);
    owner = await anOwner(stage, 1);
  }, 300_000);
  afterAll(() => stage.end());

  test("propose, wait, verify, and refuse what is wrong", async () => {
    const { api, anvil } = stage.urls;
    const { code, stderr } = await runPython(
      ["-m", "unittest", "discover", "-v", "-s", "system_tests", "-t", "."],
      {
        env: {
          COUNTERSIGN_URL: api,
          COUNTERSIGN_API_KEY: owner.credentials().agent["x-api-key"] ?? "",
          RPC_URL: anvil,
          SERVICE_REGISTRY: stage.deployment.serviceRegistry,
          INBOX: stage.deployment.inbox,
          OWNER: owner.address,
          OWNER_AUTHORIZATION: owner.credentials().owner["authorization"] ?? "",
        },
      },
    );
    expect(code, stderr).toBe(0);
    expect(Number(/^Ran (\d+) tests/m.exec(stderr)?.[1])).toBeGreaterThan(10);
  }, 600_000);
});
