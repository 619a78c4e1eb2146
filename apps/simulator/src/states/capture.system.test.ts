// The whole service on a chain with real contracts: few requests, complete and proven states, and nodes that lie or fail.
import { rmSync } from "node:fs";
import {
  createTestClient,
  encodeFunctionData,
  http,
  parseAbi,
  parseUnits,
  publicActions,
  walletActions,
} from "viem";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import {
  hashWitness,
  sceneOf,
  simulate,
  verifyWitness,
  type Agreement,
  type Simulation,
  type Witness,
} from "@countersign/evm";
import { loadConfig } from "@countersign/platform/config";
import { makeService } from "@countersign/platform/http";
import { makeLog } from "@countersign/platform/log";
import { makeSupervisor, startAnvil, type Anvil } from "@countersign/tools/engines";
import { freePorts, makeTempDir, startLyingNode, type LyingNode } from "@countersign/tools/testing";
import { addresses as at, buildWorld, oddTokens } from "@countersign/tools/world";
import type { Hex } from "@countersign/wire";
import { makeApp, type App } from "../app.ts";
import { Config } from "../config.ts";

const dir = makeTempDir("simulator");
const supervisor = makeSupervisor({ logDir: dir });
const abi = parseAbi([
  "function approve(address spender, uint256 value)",
  "function transfer(address to, uint256 value)",
  "function swapExactTokensForETH(uint256 amount, uint256 least, address[] path, address to, uint256 deadline)",
  "function exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 deadline, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96) swap)",
]);
const deadline = 4_000_000_000n;
const amount = parseUnits("3000", 6);
let anvil: Anvil;
let [alice, bob] = ["0x", "0x"] as [Hex, Hex];
let [first, second]: LyingNode[] = [];
const apps: App[] = [];

beforeAll(async () => {
  const [port = 0] = await freePorts(1);
  anvil = await startAnvil({ supervisor, dir: `${dir}/anvil`, port, chainId: 1 });
  [alice, bob] = (await buildWorld(anvil)).holders as [Hex, Hex];
  [first, second] = [await startLyingNode(() => anvil.url), await startLyingNode(() => anvil.url)];
  const chain = createTestClient({ mode: "anvil", transport: http(anvil.url) })
    .extend(publicActions)
    .extend(walletActions);
  for (const spender of [at.v2Router, at.v3Router]) {
    const data = encodeFunctionData({ abi, functionName: "approve", args: [spender, amount * 10n] });
    const hash = await chain.sendTransaction({ account: alice, chain: null, to: at.usdc, data });
    await chain.waitForTransactionReceipt({ hash, pollingInterval: 50 });
  }
}, 120_000);
afterEach(() => {
  first?.isHonest();
  second?.isHonest();
});
afterAll(async () => {
  await Promise.all(apps.map((app) => app.close()));
  first?.close();
  second?.close();
  await supervisor.stop();
  rmSync(dir, { recursive: true, force: true });
});

const log = makeLog({ app: "test", level: "silent" });
async function aService(settings: Record<string, string> = {}) {
  const app = makeApp(
    loadConfig(Config, {
      ...{ RPC_URLS: `1=${anvil.url}`, CAPTURE_WORKERS: "1", SECOND_ENGINE_WORKERS: "0" },
      ...settings,
    }),
    log,
  );
  apps.push(app);
  await app.start();
  return makeService(app.service);
}
const twoEngines = { SECOND_ENGINE_WORKERS: "1", SECOND_ENGINE_TIMEOUT_MS: "60000" };
const twoNodes = () => ({ RPC_URLS: `1=${first?.url ?? ""},1=${second?.url ?? ""}` });

type Reply = {
  readonly state: Witness;
  readonly second_engine: Agreement;
  readonly block: { readonly number: string; readonly hash: Hex };
  readonly requests: number;
};
type Service = Awaited<ReturnType<typeof aService>>;
const post = (service: Service, payload: object) =>
  service.inject({ method: "POST", url: "/states", payload: toRequest(payload) });
/** Of one call, unless the payload has several. */
function toRequest(payload: object): object {
  const { from = alice, names, calls, ...call } = payload as Readonly<Record<string, unknown>>;
  return { chainId: 1, from, names, calls: calls ?? [call] };
}
async function captured(service: Service, payload: object): Promise<Reply & { readonly run: Simulation }> {
  const answer = await post(service, payload);
  expect([answer.statusCode, answer.statusCode === 200 ? "" : answer.body]).toEqual([200, ""]);
  const reply = answer.json<Reply>();
  // From the answer alone, as the validator does.
  return { ...reply, run: await simulate(sceneOf(verifyWitness(reply.state))) };
}
const changes = (run: Simulation, holder: Hex) =>
  run.kind === "ran"
    ? Object.fromEntries(
        run.effects.balances
          .filter((one) => one.holder === holder)
          .map(({ asset, measured }) => [asset.kind === "native" ? "native" : asset.token, measured]),
      )
    : {};

const transfer = (token: Hex, value = 1_000n) => ({
  to: token,
  data: encodeFunctionData({ abi, functionName: "transfer", args: [bob, value] }),
});
const v2Swap = () => ({
  to: at.v2Router,
  data: encodeFunctionData({
    abi,
    functionName: "swapExactTokensForETH",
    args: [amount, 1n, [at.usdc, at.weth], alice, deadline],
  }),
});
const v3Swap = () => ({
  to: at.v3Router,
  data: encodeFunctionData({
    abi,
    functionName: "exactInputSingle",
    args: [
      {
        ...{ tokenIn: at.usdc, tokenOut: at.weth, fee: 500, recipient: alice, deadline },
        ...{ amountIn: amount, amountOutMinimum: 1n, sqrtPriceLimitX96: 0n },
      },
    ],
  }),
});

describe("a captured state", () => {
  test("proves all that the call reads, with few requests", async () => {
    const service = await aService(twoEngines);
    const paid = await captured(service, { to: bob, value: "5" });
    expect(changes(paid.run, bob)).toEqual({ native: 5n });
    const sent = await captured(service, transfer(at.usdc));
    expect([changes(sent.run, alice), changes(sent.run, bob)]).toEqual([
      { [at.usdc]: -1_000n },
      { [at.usdc]: 1_000n },
    ]);
    const [v2, v3] = [await captured(service, v2Swap()), await captured(service, v3Swap())];
    expect(changes(v2.run, alice)["native"]).toBeGreaterThan(parseUnits("0.99", 18));
    expect(changes(v3.run, alice)[at.weth]).toBeGreaterThan(parseUnits("0.99", 18));
    for (const { run } of [v2, v3])
      expect(run).toMatchObject({
        kind: "ran",
        divergences: [],
        prices: [{ usd: expect.any(BigInt) as bigint }, {}],
      });
    for (const { requests } of [paid, sent, v2, v3]) expect(requests).toBeLessThanOrEqual(6);
    for (const { second_engine: second, state } of [paid, sent, v2, v3])
      expect(second).toMatchObject({
        result: "agree",
        state: hashWitness(state),
        second: { outcome: "succeeded" },
      });
  });

  test("resolves names on the same block, with few more requests", async () => {
    const service = await aService();
    const plain = await captured(service, transfer(at.usdc));
    const names = ["bob.eth", "lapsed.eth", "no-one.eth"];
    const named = await captured(service, { ...transfer(at.usdc), names });
    expect(named.state.names).toEqual(names);
    expect(named.run.names).toMatchObject([
      { name: "bob.eth", address: bob, resolver: at.ensResolver },
      { name: "lapsed.eth", address: null },
      { name: "no-one.eth", address: null },
    ]);
    expect(plain.run.names).toEqual([]);
    const one = await captured(service, { ...transfer(at.usdc), names: ["bob.eth"] });
    expect(one.requests - plain.requests).toBeLessThanOrEqual(5);
    expect(JSON.stringify(one.state).length - JSON.stringify(plain.state).length).toBeLessThan(90_000);
  });

  test("shows what a token with a fee delivers", async () => {
    const { run } = await captured(await aService(twoEngines), transfer(oddTokens.fee));
    expect(changes(run, alice)).toEqual({ [oddTokens.fee]: -1_000n });
    expect(changes(run, bob)[oddTokens.fee]).toBeLessThan(1_000n);
  });

  test("of an account that cannot pay is a result", async () => {
    const poor: Hex = `0x${"5a".repeat(20)}`;
    const {
      run,
      state,
      second_engine: second,
    } = await captured(await aService(twoEngines), { from: poor, to: bob, value: "5" });
    expect(run.kind).toBe("not executable");
    expect(second).toMatchObject({ result: "agree", second: { outcome: "not executable" } });
    expect(state.accounts[poor]).toMatchObject({ balance: "0x0" });
  });

  test("of several calls has what each reads after those before it", async () => {
    const service = await aService(twoEngines);
    const approval = {
      to: at.usdc,
      data: encodeFunctionData({ abi, functionName: "approve", args: [at.v2Router, 0n] }),
    };
    const alone = await captured(service, { calls: [approval, v2Swap()] });
    expect(alone.run).toMatchObject({ kind: "ran", effects: { outcome: { succeeded: false, calls: 2 } } });
    const { to, data } = {
      ...approval,
      data: encodeFunctionData({ abi, functionName: "approve", args: [at.v2Router, amount] }),
    };
    const {
      run,
      second_engine: second,
      state,
      requests,
    } = await captured(service, {
      calls: [approval, { to, data }, v2Swap(), transfer(at.usdc), { to: bob, value: "7" }],
    });
    expect(run).toMatchObject({
      ...{ kind: "ran", divergences: [] },
      effects: { outcome: { succeeded: true, calls: 5 } },
    });
    expect(changes(run, alice)).toMatchObject({ [at.usdc]: -amount - 1_000n });
    expect(changes(run, bob)).toEqual({ native: 7n, [at.usdc]: 1_000n });
    expect(second).toMatchObject({
      result: "agree",
      state: hashWitness(state),
      second: { outcome: "succeeded" },
    });
    expect(alone.second_engine).toMatchObject({ result: "agree", second: { outcome: "reverted" } });
    expect(requests).toBeLessThan(40);
  });

  test("of a contract's calls leaves out its own code, and the second engine cannot tell", async () => {
    const { run, second_engine: second } = await captured(await aService(twoEngines), {
      ...{ from: at.v2Factory, calls: [transfer(at.usdc, 0n), { to: bob, value: "0" }] },
    });
    expect(run).toMatchObject({ kind: "ran", effects: { outcome: { succeeded: true, calls: 2, fee: 0n } } });
    expect(second).toMatchObject({ result: "cannot", why: "another account sends the transaction" });
  });
});

describe("nodes that lie", () => {
  const inProof =
    (change: (proof: Record<string, unknown>) => object) => (method: string, result: unknown) =>
      method === "eth_getProof"
        ? { ...(result as object), ...change(result as Record<string, unknown>) }
        : result;
  const inSlots = (change: (slot: Record<string, unknown>) => object) =>
    inProof(({ storageProof }) => ({
      storageProof: (storageProof as Record<string, unknown>[]).map((one) => ({ ...one, ...change(one) })),
    }));
  const plusOne = (value: unknown): Hex => `0x${(BigInt(value as Hex) + 1n).toString(16)}`;
  const reversed = (nodes: unknown): unknown => (nodes as Hex[]).toReversed().slice(1);
  const cut = (nodes: unknown): unknown => (nodes as Hex[]).slice(0, -1);
  const withOtherEnd = (nodes: unknown): unknown =>
    (nodes as Hex[]).map((node) => `${node.slice(0, -1)}${node.endsWith("1") ? "2" : "1"}`);
  test.each<[string, (method: string, result: unknown) => unknown]>([
    ["a balance", inProof(() => ({ balance: "0xffffffffffffffffffff" }))],
    ["a nonce", inProof(() => ({ nonce: "0x77" }))],
    [
      "a slot",
      inProof(({ storageProof }) => ({
        storageProof: (storageProof as object[]).map((one) => ({ ...one, value: "0x9" })),
      })),
    ],
    ["a missing proof", inProof(() => ({ accountProof: [] }))],
    ["other code", (method, result) => (method === "eth_getCode" && result !== "0x" ? "0x6001" : result)],
    ["no code", (method, result) => (method === "eth_getCode" ? "0x" : result)],
    ["code of an account that has none", (method, result) => (method === "eth_getCode" ? "0x6001" : result)],
    ["a balance of nothing", inProof(() => ({ balance: "0x0" }))],
    ["a balance one higher", inProof(({ balance }) => ({ balance: plusOne(balance) }))],
    ["a nonce one higher", inProof(({ nonce }) => ({ nonce: plusOne(nonce) }))],
    [
      "the proof of another account",
      inProof(({ accountProof }) => ({ accountProof: reversed(accountProof) })),
    ],
    ["a changed trie node", inProof(({ accountProof }) => ({ accountProof: withOtherEnd(accountProof) }))],
    ["a proof without its leaf", inProof(({ accountProof }) => ({ accountProof: cut(accountProof) }))],
    ["an empty slot", inSlots(() => ({ value: "0x0" }))],
    ["a slot one higher", inSlots(({ value }) => ({ value: plusOne(value) }))],
    ["a slot without a proof", inSlots(() => ({ value: "0x7", proof: [] }))],
    ["a slot with a changed proof", inSlots(({ proof }) => ({ value: "0x7", proof: withOtherEnd(proof) }))],
  ])("about %s are noticed, and the next node is asked", async (_, lie) => {
    const service = await aService(twoNodes());
    first?.lie(lie);
    const { run } = await captured(service, transfer(at.usdc));
    expect(changes(run, alice)).toEqual({ [at.usdc]: -1_000n });
    second?.lie(lie);
    expect((await post(service, transfer(at.usdc))).statusCode).toBe(503);
    expect((await service.inject("/metrics")).body).toMatch(/capture_unproven_total\{[^}]*\} [1-9]/);
  });

  test("about which state is read cost requests only", async () => {
    const service = await aService(twoNodes());
    for (const node of [first, second])
      node?.lie((method, result) =>
        method === "eth_createAccessList" ? { accessList: [], gasUsed: "0x5300" } : result,
      );
    const { run, requests } = await captured(service, transfer(at.usdc));
    expect(changes(run, bob)).toEqual({ [at.usdc]: 1_000n });
    expect(requests).toBeGreaterThan(3);
  });

  test.each<[string, object]>([
    ["the state root", { stateRoot: `0x${"5e".repeat(32)}` }],
    ["the time", { timestamp: "0x5" }],
    ["the base fee", { baseFeePerGas: "0x0" }],
    ["the parent", { parentHash: `0x${"5e".repeat(32)}` }],
  ])("about %s of a block are refused by those that do not", async (_, members) => {
    const service = await aService(twoNodes());
    first?.lie((method, result) =>
      method === "eth_getBlockByNumber" ? { ...(result as object), ...members } : result,
    );
    const answer = await post(service, transfer(at.usdc));
    expect([answer.statusCode, answer.body]).toEqual([503, expect.stringContaining("disagree")]);
  });
});

describe("nodes that fail", () => {
  test("are replaced by others, unless too few are left", async () => {
    first?.lie(() => undefined);
    await captured(await aService(twoNodes()), transfer(at.usdc));
    const strict = await aService({ ...twoNodes(), MIN_NODES: "2" });
    expect((await post(strict, transfer(at.usdc))).statusCode).toBe(503);
    first?.isHonest();
    await captured(strict, transfer(at.usdc));
  });

  test("that are old are not asked", async () => {
    const service = await aService(twoNodes());
    first?.lie((method, result) =>
      method === "eth_getBlockByNumber" ? { ...(result as object), number: "0x5" } : result,
    );
    const before = first?.requests() ?? 0;
    await captured(service, transfer(at.usdc));
    expect((first?.requests() ?? 0) - before).toBe(1);
  });

  test("that invent a height above the others are left out, where two must agree", async () => {
    const RPC_URLS = `${twoNodes().RPC_URLS},1=${anvil.url}/`;
    const service = await aService({ RPC_URLS, MIN_NODES: "2" });
    first?.lie((method, result) =>
      method === "eth_getBlockByNumber" ? { ...(result as object), number: "0xffffff" } : result,
    );
    const { block } = await captured(service, transfer(at.usdc));
    expect(BigInt(block.number)).toBeLessThan(0xff_ff_ffn);
  });

  test("that hang are given up", async () => {
    const service = await aService({ ...twoNodes(), RPC_TIMEOUT_MS: "1500" });
    first?.hang(4_000);
    await captured(service, transfer(at.usdc));
  });

  test("make the service degraded, not unready", async () => {
    const service = await aService({ RPC_URLS: "1=http://127.0.0.1:9" });
    expect((await service.inject("/health")).json()).toMatchObject({ status: "degraded" });
    expect((await service.inject("/ready")).statusCode).toBe(200);
    expect((await post(service, transfer(at.usdc))).statusCode).toBe(503);
  });
});
