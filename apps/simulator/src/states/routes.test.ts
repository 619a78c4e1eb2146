import { describe, expect, test } from "vitest";
import { cannotTell } from "@countersign/evm";
import { systemClock } from "@countersign/platform/clock";
import { restSurface } from "@countersign/platform/errors";
import { makeMetrics, makeService } from "@countersign/platform/http";
import { makeLog } from "@countersign/platform/log";
import { PoolBusy } from "@countersign/platform/pool";
import { NodeFailed, NodesDisagree, type Nodes } from "../adapters/rpc/index.ts";
import { Config } from "../config.ts";
import type { FirstRun } from "../second-engine/index.ts";
import type { CaptureParts } from "./capture-state.ts";
import type { CaptureJob, CaptureResult } from "./capture-worker.ts";
import { stateRoutes } from "./routes.ts";

const hash = `0x${"5e".repeat(32)}` as const;
const block = { number: 7n, hash, coinbase: `0x${"0".repeat(40)}`, header: "0x", hasRequests: true } as const;
const first: FirstRun = {
  scene: {
    ...{ chainId: "0x1", hardfork: "osaka", following: [], accounts: {}, codes: {} },
    block: {
      ...{ number: 8n, timestamp: 1n, coinbase: hash, gasLimit: 1n, baseFeePerGas: 1n },
      ...{ prevRandao: hash, excessBlobGas: 0n },
    },
    call: {
      ...{ from: hash, to: hash, value: "0x5", data: "0x", gas: "0x1" },
      ...{ maxFeePerGas: "0x1", maxPriorityFeePerGas: "0x1" },
    },
  },
  ...{ state: hash, result: { kind: "not executable" }, unsupported: null },
};
const captured = { kind: "captured", text: '{"version":1}', first, requests: 2 } as const;
const one = { to: `0x${"bb".repeat(20)}`, value: "5" };
const call = { chainId: 1, from: `0x${"aA".repeat(20)}`, calls: [one] };

type Given = {
  readonly agree?: Nodes["agree"];
  readonly run?: (job: CaptureJob) => CaptureResult | Promise<CaptureResult>;
  readonly outcome?: "over_budget";
};
async function ask({ agree, run, outcome }: Given, payload: object | string = call) {
  const jobs: CaptureJob[] = [];
  const demoted: string[] = [];
  const asked: string[] = [];
  let lies = 0;
  const log = makeLog({ app: "test", level: "silent" });
  const nodes: Nodes = {
    agree: agree ?? (async () => ({ block, urls: ["http://one", "http://two"] })),
    demote: (url) => void demoted.push(url),
    probe: async () => undefined,
  };
  const parts: CaptureParts = {
    ...{ log, nodes: new Map([[1, nodes]]), hardforkOf: () => "osaka" },
    limits: { timeoutMs: 1, deadlineMs: 1, budgetMs: 1 },
    pool: {
      run: async (job) => {
        jobs.push(job);
        if (outcome !== undefined) return { kind: outcome, of: "time", cpuMs: 1 };
        const result = (await run?.(job)) ?? captured;
        return { kind: "done", result, cpuMs: 1 };
      },
    },
    secondEngine: {
      check: async ({ state }) => {
        asked.push(state);
        return cannotTell({ engine: "a second engine", state }, "it is a test");
      },
    },
    onLie: () => {
      lies += 1;
    },
  };
  const service = await makeService({
    ...{ title: "Test", description: "A service for a test.", version: "1.0", baseUrl: "http://localhost" },
    ...{
      surface: restSurface,
      log,
      metrics: makeMetrics("test"),
      clock: systemClock,
      routes: stateRoutes(parts),
    },
  });
  const headers = { "content-type": "application/json" };
  const answer = await service.inject({ method: "POST", url: "/states", payload, headers });
  return {
    status: answer.statusCode,
    body: answer.body,
    headers: answer.headers,
    jobs,
    demoted,
    lies,
    asked,
  };
}

describe("POST /states", () => {
  test("200: returns the state with its block, and what a second engine says", async () => {
    const { status, body, jobs, asked } = await ask({});
    expect(status).toBe(200);
    expect(JSON.parse(body)).toEqual({
      ...{ state: { version: 1 }, block: { number: "7", hash }, requests: 2 },
      second_engine: {
        ...{ version: 1, engine: "a second engine", state: hash },
        ...{ result: "cannot", why: "it is a test" },
      },
    });
    expect(asked).toEqual([hash]);
    expect(jobs).toMatchObject([
      { url: "http://one", chainId: 1, calls: [{ from: `0x${"aa".repeat(20)}`, value: "0x5", data: "0x" }] },
    ]);
  });

  test("200: passes on several calls in their order", async () => {
    const { status, jobs } = await ask({}, { ...call, calls: [one, { to: one.to, data: "0xAB" }] });
    expect(status).toBe(200);
    expect(jobs[0]?.calls).toEqual([
      { from: `0x${"aa".repeat(20)}`, ...one, value: "0x5", data: "0x" },
      { from: `0x${"aa".repeat(20)}`, to: one.to, value: "0x0", data: "0xab" },
    ]);
  });

  test("200: passes on who signs for the sender", async () => {
    const { status, jobs } = await ask({}, { ...call, signer: `0x${"CC".repeat(20)}` });
    expect([status, jobs[0]?.signer]).toEqual([200, `0x${"cc".repeat(20)}`]);
    expect((await ask({})).jobs[0]?.signer).toBeUndefined();
  });

  test("200: passes on the names to resolve", async () => {
    const { status, jobs } = await ask({}, { ...call, names: ["bob.eth"] });
    expect([status, jobs.map(({ names }) => names)]).toEqual([200, [["bob.eth"]]]);
    expect((await ask({})).jobs).toMatchObject([{ names: [] }]);
  });

  test("200: asks the next node if one lies or fails", async () => {
    for (const kind of ["unproven", "failed"] as const) {
      const { status, demoted, lies } = await ask({
        run: ({ url }) => (url === "http://one" ? { kind, why: "no" } : captured),
      });
      expect({ status, demoted, lies }).toEqual({
        ...{ status: 200, demoted: ["http://one"], lies: kind === "unproven" ? 1 : 0 },
      });
    }
  });

  test.each<[string, object | string]>([
    ["no sender", { ...call, from: undefined }],
    ["a malformed signer", { ...call, signer: "bob.eth" }],
    ["no call", { ...call, calls: [] }],
    ["65 calls", { ...call, calls: Array.from({ length: 65 }, () => one) }],
    ["a malformed address", { ...call, calls: [{ ...one, to: "0x12" }] }],
    ["a malformed value", { ...call, calls: [one, { ...one, value: "0x5" }] }],
    ["a value above 2^256", { ...call, calls: [{ ...one, value: "9".repeat(78) }] }],
    ["half a byte of calldata", { ...call, calls: [{ ...one, data: "0x123" }] }],
    ["a malformed chain id", { ...call, chainId: "1" }],
    ["five names", { ...call, names: ["a.eth", "b.eth", "c.eth", "d.eth", "e.eth"] }],
    ["a name twice", { ...call, names: ["a.eth", "a.eth"] }],
    ["broken JSON", "{"],
  ])("400: %s", async (_, payload) => {
    expect((await ask({}, payload)).status).toBe(400);
  });

  test("404: a chain without a node", async () => {
    expect(await ask({}, { ...call, chainId: 2 })).toMatchObject({ status: 404, jobs: [] });
  });

  test("413: more calldata than a transaction has", async () => {
    expect((await ask({}, { ...call, calls: [{ ...one, data: `0x${"ab".repeat(300_000)}` }] })).status).toBe(
      413,
    );
  });

  test("415: a body that is not JSON", async () => {
    const service = await makeService({
      ...{ title: "Test", description: "A service for a test.", version: "1.0", baseUrl: "http://localhost" },
      ...{
        surface: restSurface,
        log: makeLog({ app: "test", level: "silent" }),
        metrics: makeMetrics("test"),
      },
      routes: stateRoutes({} as CaptureParts),
    });
    const headers = { "content-type": "text/plain" };
    expect((await service.inject({ method: "POST", url: "/states", payload: "x", headers })).statusCode).toBe(
      415,
    );
  });

  test("422: a state that cannot be captured, with the reason, from one node only", async () => {
    const { status, body, jobs } = await ask({
      run: () => ({ kind: "refused", why: "its state is too large" }),
    });
    expect([status, jobs.length]).toEqual([422, 1]);
    expect(body).toContain("its state is too large");
    expect((await ask({ outcome: "over_budget" })).status).toBe(422);
  });

  test.each<[string, Given]>([
    ["no node answers with proofs", { run: () => ({ kind: "unproven", why: "no" }) }],
    ["too few nodes answer", { agree: () => Promise.reject(new NodeFailed("none")) }],
    ["nodes disagree", { agree: () => Promise.reject(new NodesDisagree("block 7")) }],
    ["no worker is free", { run: () => Promise.reject(new PoolBusy("full")) }],
  ])("503: %s", async (_, given) => {
    expect((await ask(given)).status).toBe(503);
  });

  test("500: an unexpected error reveals nothing", async () => {
    const { status, body } = await ask({ run: () => Promise.reject(new Error("http://key@node")) });
    expect(status).toBe(500);
    expect(body).not.toContain("key@node");
  });
});

describe("the nodes of a chain", () => {
  test("are listed under its id, in their order", () => {
    const { RPC_URLS } = Config.parse({ RPC_URLS: "1=http://a/?k=v,8453=http://b,1=https://c" });
    expect(RPC_URLS).toEqual({ 1: ["http://a/?k=v", "https://c"], 8453: ["http://b"] });
  });

  test.each(["http://a", "one=http://a", "1=ftp://a"])("are not read from %s", (RPC_URLS) => {
    expect(Config.safeParse({ RPC_URLS }).success).toBe(false);
  });
});
