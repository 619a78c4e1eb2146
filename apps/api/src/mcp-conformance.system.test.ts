// The conformance suite of the protocol's authors against the real service, in both eras of the protocol.
import { rmSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeSupervisor, type Supervisor } from "@countersign/tools/engines";
import { makeTempDir, makeTestDatabase, type TestDatabase } from "@countersign/tools/testing";
import {
  findSurprises,
  getToken,
  makeBrowser,
  mayDoWithoutPrograms,
  readExpectedFailures,
  registerClient,
  runAuthorization,
  runScenario,
  startBearerProxy,
  startInteropApi,
  wires,
  type Browser,
  type InteropApi,
  type Wire,
} from "../../../tools/mcp-interop/index.ts";

/** Scenarios that only need a server. The others need the tools of the suite's own example. */
const scenarios: Readonly<Record<Wire, readonly string[]>> = {
  "2025-11-25": [
    "server-initialize",
    "server-session-lifecycle",
    "ping",
    "tools-list",
    "resources-list",
    "resources-read-text",
    "resources-subscribe",
    "resources-unsubscribe",
    "server-sse-multiple-streams",
    "dns-rebinding-protection",
  ],
  "2026-07-28": [
    "server-stateless",
    "http-header-validation",
    "tools-list",
    "resources-list",
    "resources-read-text",
    "sep-2164-resource-not-found",
    "server-sse-multiple-streams",
    "caching",
    "dns-rebinding-protection",
  ],
};

/** Resources that the suite expects to exist. */
const fixtures = ["test://watched-resource", "test://static-text"];

const dir = makeTempDir("conformance");
let database: TestDatabase;
let supervisor: Supervisor;
let api: InteropApi;
let browser: Browser;
let proxy: Awaited<ReturnType<typeof startBearerProxy>>;

/** A transaction of the owner, as a resource. */
async function aResource(): Promise<string> {
  const headers = { ...(await browser.session()), "content-type": "application/json" };
  const body = {
    escrowAddress: browser.wallet.address,
    userPrompt: "Send 0.001 ETH to 0x1111111111111111111111111111111111111111.",
    tx: { to: `0x${"11".repeat(20)}`, value: "1000000000000000", data: "0x" },
  };
  const sent = { method: "POST", headers, body: JSON.stringify(body) };
  const { requestHash } = (await (await fetch(`${api.url}/transactions`, sent)).json()) as {
    requestHash: string;
  };
  return `countersign://transactions/${requestHash}`;
}

describe.skipIf(mayDoWithoutPrograms())("the conformance suite", () => {
  beforeAll(async () => {
    database = await makeTestDatabase();
    supervisor = makeSupervisor({ logDir: dir });
    api = await startInteropApi({ supervisor, databaseUrl: database.url });
    browser = makeBrowser(api.url);
    const uri = await aResource();
    proxy = await startBearerProxy({
      api: api.url,
      headers: { authorization: `Bearer ${await getToken(api.url, browser)}` },
      substitutes: Object.fromEntries(fixtures.map((fixture) => [fixture, uri])),
    });
  });
  afterAll(async () => {
    proxy.close();
    await supervisor.stop();
    await database.drop();
    rmSync(dir, { recursive: true });
  });

  describe.each(wires)("%s", (wire) => {
    test.concurrent.each(scenarios[wire])("%s", async (scenario) => {
      const run = await runScenario({ supervisor, url: proxy.url }, scenario, wire);
      expect(findSurprises(run, readExpectedFailures())).toEqual([]);
    });

    test("authorization server: all of it", async () => {
      const run = await runAuthorization(
        {
          ...{ supervisor, browser, url: api.url },
          registerClient: (redirectUri) => registerClient(api.url, redirectUri),
        },
        wire,
      );
      expect(run.checks.length).toBeGreaterThan(1);
      expect(findSurprises(run, [])).toEqual([]);
    });
  });

  test("every expected failure is about a scenario that is run", () => {
    for (const { scenario, wire } of readExpectedFailures()) expect(scenarios[wire]).toContain(scenario);
  });
});
