import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { validate } from "@countersign/sdk";
import { makeSupervisor, type Supervisor } from "@countersign/tools/engines";
import { freePorts, makeTempDir, waitUntil } from "@countersign/tools/testing";
import { run } from "../../test/run-cli.ts";
import { inputs, sandboxChainId } from "./inputs.ts";

// One production validator for all inputs.
let supervisor: Supervisor;
let url = "";

beforeAll(async () => {
  supervisor = makeSupervisor({ logDir: makeTempDir("cli-validator") });
  const [port = 0] = await freePorts(1);
  url = `http://127.0.0.1:${port}`;
  const child = supervisor.start({
    name: "validator",
    command: process.execPath,
    args: [fileURLToPath(new URL("../../../validator/src/main.ts", import.meta.url))],
    cwd: "/",
    env: { PORT: String(port), LOG_LEVEL: "warn" },
  });
  const isReady = async (): Promise<void> => {
    expect((await fetch(`${url}/ready`)).status).toBe(200);
  };
  await waitUntil("the validator is ready", isReady, { seconds: 120, child });
});
afterAll(() => supervisor.stop());

const account = "0x7a16ff8270133f063aab6c9977183d9e72835428";

describe("sandbox inputs have the documented verdicts", () => {
  test.each(inputs.map((input) => [input.name, input] as const))("%s", async (_, input) => {
    const { words, call, outcome, because } = input;
    const metadata = { from: account, chain_id: sandboxChainId };
    const report = await validate({ intent: words, tx: call(account), metadata }, { url });
    expect({ decision: report.decision, because: report.primary_failure_node }).toEqual({
      decision: outcome === "REJECTED" ? "REJECT" : "PASS",
      because: because ?? null,
    });
  });
});

describe("countersign validate, with the real validator", () => {
  const words = "Send 0.01 ETH to 0x742d35Cc6634C0532925a3b844Bc454e4438f44e";
  const ask = (to: string, ...more: readonly string[]) =>
    run(["validate", "--words", words, "--to", to, "--value", "0.01ETH", ...more], {
      env: { COUNTERSIGN_VALIDATOR_URL: url },
    });

  test("exits with 0 for a match", async () => {
    const { code, stdout, stderr } = await ask("0x742d35Cc6634C0532925a3b844Bc454e4438f44e");
    expect(stderr).toBe("");
    expect(stdout).toMatch(/^✓ PASS\. /);
    expect(code).toBe(0);
  });

  test("exits with 4 and the reason for a difference", async () => {
    const { code, stdout } = await ask("0x3f5CE5FBFe3E9af3971dD833D26bA9b5C936f0bE");
    expect(stdout).toContain("intent_alignment.recipient_match");
    expect(code).toBe(4);
  });

  test("prints the report with --json", async () => {
    const { code, stdout } = await ask("0x3f5CE5FBFe3E9af3971dD833D26bA9b5C936f0bE", "--json");
    expect(JSON.parse(stdout)).toMatchObject({ decision: "REJECT" });
    expect(code).toBe(4);
  });
});

describe("countersign describe, with the real validator", () => {
  test("prints a request that then passes", async () => {
    const to = "0x742d35Cc6634C0532925a3b844Bc454e4438f44e";
    const env = { COUNTERSIGN_VALIDATOR_URL: url };
    const described = await run(["describe", "--to", to, "--value", "0.01ETH"], { env });
    expect(described).toMatchObject({
      code: 0,
      stdout: `Send 0.01 ETH to ${to.toLowerCase()} on Sepolia.\n`,
    });
    const words = described.stdout.trim();
    const checked = await run(["validate", "--words", words, "--to", to, "--value", "0.01ETH"], { env });
    expect(checked.code).toBe(0);
  });
});
