// Against a real chain, and behind a node that returns wrong answers.
import { once } from "node:events";
import { rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createTestClient, http, keccak256, numberToHex, publicActions, walletActions, zeroHash } from "viem";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Hex } from "@countersign/wire";
import { makeSupervisor, startAnvil, type Anvil } from "@countersign/tools/engines";
import { freePorts, makeTempDir } from "@countersign/tools/testing";
import { makeChainReader, makeChainSimulator, type SimulatedCall } from "./index.ts";

const dir = makeTempDir("chain");
const supervisor = makeSupervisor({ logDir: dir });
let anvil: Anvil;

type Question = { readonly id: number; readonly method: string; readonly params?: readonly unknown[] };
type Lie = { readonly result?: unknown; readonly error?: object } | Answer;
type Answer = (params: readonly unknown[]) => object;
/** Answers that the node gives instead of the chain's. */
let lies: Readonly<Record<string, Lie>> = {};
/** The requests it got, newest last. */
let asked: Question[] = [];
let nodeUrl: string;

const node = createServer((request, response) => {
  void (async () => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = Buffer.concat(parts).toString();
    const question = JSON.parse(body) as Question;
    const { id, method, params = [] } = question;
    asked.push(question);
    const lie = lies[method];
    const told = typeof lie === "function" ? lie(params) : lie;
    response.setHeader("content-type", "application/json");
    if (told !== undefined) return response.end(JSON.stringify({ jsonrpc: "2.0", id, ...told }));
    const headers = { "content-type": "application/json" };
    const answer = await fetch(anvil.url, { method: "POST", headers, body });
    return response.end(await answer.text());
    // A request that a test aborts is not an error.
  })().catch(() => response.destroy());
});

beforeAll(async () => {
  const [port = 0] = await freePorts(1);
  anvil = await startAnvil({ supervisor, dir: `${dir}/anvil`, port });
  node.listen(0, "127.0.0.1");
  await once(node, "listening");
  nodeUrl = `http://127.0.0.1:${(node.address() as AddressInfo).port}/an-access-key`;
  await chain().setIntervalMining({ interval: 0 });
  await chain().setAutomine(true);
});
afterEach(() => {
  lies = {};
  asked = [];
});
afterAll(async () => {
  node.closeAllConnections();
  node.close();
  await supervisor.stop();
  rmSync(dir, { recursive: true, force: true });
});

const chain = () =>
  createTestClient({ mode: "anvil", transport: http(anvil.url), cacheTime: 0 })
    .extend(publicActions)
    .extend(walletActions);
const simulator = (chainId = anvil.chainId) =>
  makeChainSimulator({ chainId, rpcUrls: [nodeUrl], timeoutMs: 5_000 });
const reader = () => makeChainReader({ chainId: anvil.chainId, rpcUrls: [nodeUrl], timeoutMs: 5_000 });
const account = (at: number): Hex => anvil.accounts[at]?.address ?? "0x";
const lower = (hex: Hex): Hex => hex.toLowerCase() as Hex;
const aCall = (more: Partial<SimulatedCall> = {}) => ({
  ...{ from: account(0), to: account(1), value: 5n, data: "0x" as Hex },
  ...more,
});
let placed = 0x1000;
/** Deploys this code at a new address. */
async function code(bytecode: Hex): Promise<Hex> {
  const address: Hex = `0x${(placed++).toString(16).padStart(40, "0")}`;
  await chain().setCode({ address, bytecode });
  return address;
}

type Run = {
  readonly blockStateCalls: readonly [
    {
      readonly blockOverrides: Readonly<Record<string, string>>;
      readonly calls: readonly Readonly<Record<string, string>>[];
    },
  ];
  readonly validation: boolean;
};
/** The simulations that the node was asked for. */
const readRuns = () =>
  asked
    .filter(({ method }) => method === "eth_simulateV1")
    .map(({ params = [] }) => {
      const { blockStateCalls, validation } = params[0] as Run;
      const [{ blockOverrides: block, calls }] = blockStateCalls;
      return { validation, block, call: calls[1] };
    });

describe("a simulated call", () => {
  test("measures balances before and after it", async () => {
    const measures = [
      { holder: account(1), token: null },
      // An address without code answers nothing.
      { holder: account(1), token: account(2) },
    ];
    const { measured } = await simulator().simulate({ ...aCall(), measures });
    expect(measured).toEqual([5n, null]);
  });

  test("the hash of a block is that of the chain; null for one to come", async () => {
    const { number, hash } = await chain().getBlock({ blockTag: "latest" });
    expect(await simulator().readBlockHash(number)).toBe(hash);
    expect(await simulator().readBlockHash(number + 1_000n)).toBeNull();
  });

  test("shows where the native token would go, in lower case, and has no side effects", async () => {
    const before = await chain().getBalance({ address: account(1) });
    const { block, time, ...tried } = await simulator().simulate(aCall());
    const word = (hex: Hex): Hex => `0x${"0".repeat(24)}${lower(hex).slice(2)}`;
    expect(tried).toEqual({
      succeeded: true,
      reason: null,
      gained: -5n,
      logs: [
        {
          address: `0x${"ee".repeat(20)}`,
          topics: [
            keccak256(Buffer.from("Transfer(address,address,uint256)")),
            word(account(0)),
            word(account(1)),
          ],
          data: `0x${"5".padStart(64, "0")}`,
        },
      ],
      touched: [lower(account(0)), lower(account(1)), `0x${"ee".repeat(20)}`],
      measured: [],
    });
    expect(block).toBe(await chain().getBlockNumber());
    expect(time).toBe((await chain().getBlock({ blockNumber: block })).timestamp);
    expect(await chain().getBalance({ address: account(1) })).toBe(before);
  });

  test("reports the contracts that the contract calls, with or without events", async () => {
    const inner = await code("0x00");
    // A static call of `inner`, with nothing.
    const outer = await code(`0x600060006000600073${inner.slice(2)}5afa00`);
    const { touched } = await simulator().simulate(aCall({ to: outer, value: 0n }));
    expect(touched).toEqual([lower(account(0)), outer, inner]);
  });

  test("that would fail reports only the failure", async () => {
    const tried = await simulator().simulate(aCall({ to: await code("0x60006000fd") }));
    expect(tried).toMatchObject({ succeeded: false, logs: [], touched: [] });
    expect(tried.reason).toMatch(/^[ -~]{1,200}$/);
  });

  test("that the wallet cannot pay for fails", async () => {
    const from: Hex = `0x${"ab".repeat(20)}`;
    expect(await simulator().simulate(aCall({ from }))).toMatchObject({
      ...{ succeeded: false, reason: "insufficient funds" },
    });
    lies = { eth_simulateV1: { error: { code: -38014, message: "not enough" } } };
    expect(await simulator().simulate(aCall())).toMatchObject({
      succeeded: false,
      reason: "insufficient funds",
    });
  });

  test("is tried with the gas and fees of a transaction, in two blocks, and once by a simulation's defaults", async () => {
    await simulator().simulate(aCall());
    const runs = readRuns();
    expect(runs.map(({ validation }) => validation)).toEqual([true, true, false]);
    const [much, usual, bare] = runs.map(({ call }) => call);
    expect(BigInt(much?.["gas"] ?? 0)).toBeGreaterThan(10_000_000n);
    expect(BigInt(usual?.["gas"] ?? 0)).toBeGreaterThanOrEqual(21_000n);
    expect(BigInt(usual?.["gas"] ?? 0)).toBeLessThanOrEqual(31_500n);
    for (const call of [much, usual]) expect(BigInt(call?.["maxPriorityFeePerGas"] ?? 0)).toBeGreaterThan(0n);
    expect(bare).not.toHaveProperty("gas");
    expect(bare).not.toHaveProperty("maxFeePerGas");
    expect(new Set(runs.map(({ block }) => block["prevRandao"])).size).toBe(3);
    expect(new Set(runs.map(({ block }) => block["feeRecipient"])).size).toBeGreaterThan(1);
  });

  test("is tried exactly as it will be sent, if that is known", async () => {
    const accessList = [{ address: lower(account(1)), storageKeys: [zeroHash] }];
    const terms = { gas: 77_777n, maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 5n, accessList };
    expect(await simulator().simulate(aCall({ terms }))).toMatchObject({ succeeded: true, gained: -5n });
    const sent = {
      ...{ gas: "0x12fd1", maxFeePerGas: "0x2540be400", maxPriorityFeePerGas: "0x5" },
      accessList,
    };
    const [first, last] = readRuns();
    expect(first?.call).toMatchObject(sent);
    expect(last?.call).toMatchObject(sent);
    expect(asked.map(({ method }) => method)).not.toContain("eth_estimateGas");
  });

  test("with a maximum fee below the base fee is tried in a block that would take it", async () => {
    const terms = { gas: 50_000n, maxFeePerGas: 3n, maxPriorityFeePerGas: 1n, accessList: [] };
    await chain().setNextBlockBaseFeePerGas({ baseFeePerGas: 1_000n });
    await chain().mine({ blocks: 1 });
    expect(await simulator().simulate(aCall({ terms }))).toMatchObject({ succeeded: true, gained: -5n });
    expect(readRuns()[0]?.block).toMatchObject({ baseFeePerGas: "0x3" });
  });

  test("whose gas the wallet cannot pay for fails", async () => {
    const from: Hex = `0x${"ac".repeat(20)}`;
    await chain().setBalance({ address: from, value: 6n });
    expect(await simulator().simulate(aCall({ from }))).toMatchObject({
      ...{ succeeded: false, reason: "insufficient funds" },
    });
    const terms = { gas: 50_000n, maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 1n, accessList: [] };
    expect(await simulator().simulate(aCall({ from, terms }))).toMatchObject({
      ...{ succeeded: false, reason: "insufficient funds" },
    });
  });

  test("whose estimate is too low is tried with more gas", async () => {
    // Stores 1: more than 40,000 gas.
    const to = await code("0x600160005500");
    lies = { eth_estimateGas: { result: numberToHex(26_000) } };
    expect(await simulator().simulate(aCall({ to, value: 0n }))).toMatchObject({ succeeded: true });
    expect(readRuns().map(({ validation }) => validation)).toEqual([true, true, true, false]);
  });

  test("that runs out of the gas it will be sent with fails", async () => {
    // An endless loop.
    const to = await code("0x5b600056");
    const terms = { gas: 60_000n, maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 1n, accessList: [] };
    expect(await simulator().simulate(aCall({ to, value: 0n, terms }))).toMatchObject({ succeeded: false });
  });

  test("that succeeds and cannot be paid for in the second simulation fails", async () => {
    lies = { eth_createAccessList: { error: { code: -32000, message: "insufficient funds for gas" } } };
    expect(await simulator().simulate(aCall())).toMatchObject({
      succeeded: false,
      reason: "insufficient funds",
    });
  });
});

describe("a node", () => {
  const outcome = { status: "0x1", returnData: "0x", gasUsed: "0x0", logs: [] as readonly object[] };
  const words = (...values: readonly bigint[]) =>
    `0x${values.map((value) => value.toString(16).padStart(64, "0")).join("")}`;
  const funds = 10n ** 24n;
  const told = { ...outcome, returnData: words(7n, funds) };
  type Plan = {
    readonly blockStateCalls: readonly [{ readonly blockOverrides: Readonly<Record<string, string>> }];
  };
  /** Answers every simulation with these calls, in the block that was requested. */
  const answering =
    (calls: readonly object[], change: object = {}) =>
    ([plan]: readonly unknown[]) => {
      const { feeRecipient, time, baseFeePerGas } = (plan as Plan).blockStateCalls[0].blockOverrides;
      return { result: [{ miner: feeRecipient, timestamp: time, baseFeePerGas, ...change, calls }] };
    };
  const saying = (change: object) => ({
    eth_simulateV1: answering([told, { ...outcome, ...change }, told]),
  });

  test.each([
    ["eth_simulateV1", -32601],
    ["eth_simulateV1", -32004],
    ["eth_estimateGas", -32601],
    ["eth_createAccessList", -32601],
  ])("that does not support %s (%i) is reported as such", async (method, number) => {
    lies = { [method]: { error: { code: number, message: "what?" } } };
    await expect(simulator().simulate(aCall())).rejects.toThrow(`the node does not support ${method}`);
  });

  test("of another chain is rejected, also when it replaces a correct one", async () => {
    const one = simulator();
    await one.simulate(aCall());
    lies = { eth_chainId: { result: "0x1" } };
    await expect(one.simulate(aCall())).rejects.toThrow("serves chain 1");
    await expect(one.readNonces(account(0))).rejects.toThrow("serves chain 1");
    await expect(one.readCodeHashes([account(0)], 0n)).rejects.toThrow("serves chain 1");
    await expect(reader().readCall(`0x${"11".repeat(32)}`)).rejects.toThrow("serves chain 1");
  });

  test.each<[string, Readonly<Record<string, Lie>>]>([
    ["no outcome", { eth_simulateV1: { result: [] } }],
    ["nothing", { eth_simulateV1: { result: null } }],
    ["four outcomes", { eth_simulateV1: answering([told, outcome, outcome, told]) }],
    ["no status", saying({ status: undefined })],
    ["a log without an address", saying({ logs: [{ topics: [], data: "0x" }] })],
    [
      "a log with a short topic",
      saying({ logs: [{ address: `0x${"11".repeat(20)}`, topics: ["0x1"], data: "0x" }] }),
    ],
    ["half a byte", saying({ returnData: "0x1" })],
    ["no balance", { eth_simulateV1: answering([outcome, outcome, outcome]) }],
    ["one balance", { eth_simulateV1: answering([{ ...told, returnData: words(7n) }, outcome, told]) }],
    ["no estimate", { eth_estimateGas: { result: null } }],
    ["no list", { eth_createAccessList: { result: {} } }],
    ["no addresses in the list", { eth_createAccessList: { result: { accessList: [{ address: "0x1" }] } } }],
  ])("that answers with %s is rejected", async (_, said) => {
    lies = said;
    await expect(simulator().simulate(aCall())).rejects.toThrow("cannot be read");
  });

  test.each([
    ["another proposer", { miner: `0x${"11".repeat(20)}` }],
    ["another time", { timestamp: "0x1" }],
    ["no base fee", { baseFeePerGas: "0x0" }],
    ["no values", { miner: undefined, timestamp: undefined, baseFeePerGas: undefined }],
  ])("that simulates in a block with %s is rejected", async (_, change) => {
    lies = { eth_simulateV1: answering([told, outcome, told], change) };
    await expect(simulator().simulate(aCall())).rejects.toThrow("ignores the values of the simulated block");
  });

  test("of a chain that charges a fee in addition to gas does not add it to what the wallet pays", async () => {
    const paid = (wallet: bigint) => ({ ...told, returnData: words(wallet, funds - 300n) });
    lies = { eth_simulateV1: answering([paid(1_000n), outcome, paid(695n)]) };
    expect(await simulator().simulate(aCall())).toMatchObject({ succeeded: true, gained: -5n });
  });

  test("of a chain without a base fee gets the gas price instead", async () => {
    const { baseFeePerGas: _, ...block } = (await chain().request({
      ...{ method: "eth_getBlockByNumber", params: ["latest", false] },
    } as never)) as unknown as Record<string, unknown>;
    lies = { eth_getBlockByNumber: { result: block }, eth_gasPrice: { result: "0x7" }, ...saying({}) };
    expect(await simulator().simulate(aCall())).toMatchObject({ succeeded: true });
    const [first] = readRuns();
    expect(first?.call).toMatchObject({ gasPrice: "0x7" });
    expect(first?.call).not.toHaveProperty("maxFeePerGas");
    expect(first?.block).not.toHaveProperty("baseFeePerGas");
  });

  test("that lets the same call succeed and fail is rejected", async () => {
    lies = { eth_createAccessList: { result: { accessList: [], error: "reverted" } } };
    await expect(simulator().simulate(aCall())).rejects.toThrow("contradicts itself");
  });

  test("may omit the logs", async () => {
    lies = saying({ logs: null });
    expect(await simulator().simulate(aCall())).toMatchObject({ succeeded: true, logs: [] });
  });

  test("that reports more addresses than can be compared fails the simulation", async () => {
    const accessList = Array.from({ length: 200 }, (_, at) => ({
      address: `0x${(at + 1).toString(16).padStart(40, "0")}`,
    }));
    lies = { eth_createAccessList: { result: { accessList } } };
    expect(await simulator().simulate(aCall())).toMatchObject({ succeeded: false });
  });

  test("passes on a contract's revert reason shortened and printable", async () => {
    const said = Buffer.from(`\u0000<b>\u202e${"x".repeat(300)}`);
    const data = `0x08c379a0${[32, said.length].map((one) => one.toString(16).padStart(64, "0")).join("")}${said
      .toString("hex")
      .padEnd(Math.ceil(said.length / 32) * 64, "0")}`;
    lies = saying({ status: "0x0", returnData: data });
    const { reason } = await simulator().simulate(aCall());
    expect(reason).toMatch(/^<b> x+$/);
    expect(reason).toHaveLength(200);
  });

  test("that is down is an error without its URL", async () => {
    const [port = 0] = await freePorts(1);
    const away = makeChainSimulator({ chainId: 1, rpcUrls: [`http://127.0.0.1:${port}/an-access-key`] });
    const failure = await away.simulate(aCall()).catch((error: unknown) => error);
    expect(String(failure)).toContain("chain 1");
    expect(String(failure)).not.toContain("an-access-key");
    expect((failure as Error).cause).toBeUndefined();
  });
});

describe("code", () => {
  test("is returned by its hash as of a block, also for an address without code", async () => {
    const some = await code("0x6001");
    const block = await chain().getBlockNumber();
    const upper: Hex = `0x${some.slice(2).toUpperCase()}`;
    expect(await simulator().readCodeHashes([upper, account(3)], block)).toEqual(
      new Map([
        [some, keccak256("0x6001")],
        [lower(account(3)), keccak256("0x")],
      ]),
    );
  });

  test("of a delegated account includes the delegate's code", async () => {
    const delegate = await code("0x6002");
    const delegating = await code(`0xef0100${delegate.slice(2)}`);
    const hashes = await simulator().readCodeHashes([delegating], await chain().getBlockNumber());
    expect(hashes.get(delegate)).toBe(keccak256("0x6002"));
    expect(hashes.size).toBe(2);
  });

  test("of many addresses is returned for each", async () => {
    const many = Array.from({ length: 50 }, (_, at): Hex => `0x${(at + 999).toString(16).padStart(40, "0")}`);
    expect((await simulator().readCodeHashes(many, await chain().getBlockNumber())).size).toBe(50);
  });
});

describe("a transaction", () => {
  test("is found by its hash while pending and in a block, and counted in both", async () => {
    const [from, to] = [account(4), account(5)];
    await chain().setAutomine(false);
    const hash = await chain().sendTransaction({ account: from, chain: null, to, value: 3n, data: "0xabcd" });
    const call = { hash, from: lower(from), to: lower(to), value: 3n, dataHash: keccak256("0xabcd") };
    expect(await reader().readCall(hash)).toEqual(call);
    expect(await simulator().readNonces(from)).toEqual({ latest: 0, pending: 1 });
    await chain().setAutomine(true);
    await chain().mine({ blocks: 1 });
    await chain().waitForTransactionReceipt({ hash, pollingInterval: 50 });
    expect(await reader().readCall(hash)).toEqual(call);
    expect(await simulator().readNonces(from)).toEqual({ latest: 1, pending: 1 });
  });

  test("that is unknown is not found", async () => {
    expect(await reader().readCall(`0x${"12".repeat(32)}`)).toBeUndefined();
  });
});
