// Against a real chain, and behind a node that returns wrong answers.
import { once } from "node:events";
import { rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createTestClient, http, keccak256, publicActions, walletActions } from "viem";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Hex } from "@countersign/wire";
import { makeSupervisor, startAnvil, type Anvil } from "@countersign/tools/engines";
import { freePorts, makeTempDir } from "@countersign/tools/testing";
import { makeChainReader, makeChainSimulator } from "./index.ts";

const dir = makeTempDir("chain");
const supervisor = makeSupervisor({ logDir: dir });
let anvil: Anvil;

type Question = { readonly id: number; readonly method: string };
/** Answers that the node gives instead of the chain's. */
let lies: Readonly<Record<string, object>> = {};
let nodeUrl: string;

const node = createServer((request, response) => {
  void (async () => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = Buffer.concat(parts).toString();
    const { id, method } = JSON.parse(body) as Question;
    const lie = lies[method];
    response.setHeader("content-type", "application/json");
    if (lie !== undefined) return response.end(JSON.stringify({ jsonrpc: "2.0", id, ...lie }));
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
  makeChainSimulator({ chainId, rpcUrl: nodeUrl, timeoutMs: 5_000 });
const reader = () => makeChainReader({ chainId: anvil.chainId, rpcUrl: nodeUrl, timeoutMs: 5_000 });
const account = (at: number): Hex => anvil.accounts[at]?.address ?? "0x";
const lower = (hex: Hex): Hex => hex.toLowerCase() as Hex;
const aCall = (more: { to?: Hex; value?: bigint; from?: Hex } = {}) => ({
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

describe("a simulated call", () => {
  test("shows where the native token would go, in lower case, and has no side effects", async () => {
    const before = await chain().getBalance({ address: account(1) });
    const { block, ...tried } = await simulator().simulate(aCall());
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
    });
    expect(block).toBe(await chain().getBlockNumber());
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

  test("that succeeds and cannot be paid for in the second simulation fails", async () => {
    lies = { eth_createAccessList: { error: { code: -32000, message: "insufficient funds for gas" } } };
    expect(await simulator().simulate(aCall())).toMatchObject({
      succeeded: false,
      reason: "insufficient funds",
    });
  });
});

describe("a node", () => {
  const outcome = { status: "0x1", returnData: "0x", gasUsed: "0x5208", logs: [] as readonly object[] };
  const told = { ...outcome, returnData: `0x${"7".padStart(64, "0")}` };
  const saying = (change: object) => ({
    eth_simulateV1: { result: [{ calls: [told, { ...outcome, ...change }, told] }] },
  });

  test.each([
    ["eth_simulateV1", -32601],
    ["eth_simulateV1", -32004],
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

  test.each<[string, Readonly<Record<string, object>>]>([
    ["no outcome", { eth_simulateV1: { result: [] } }],
    ["nothing", { eth_simulateV1: { result: null } }],
    ["four outcomes", { eth_simulateV1: { result: [{ calls: [told, outcome, outcome, told] }] } }],
    ["no status", saying({ status: undefined })],
    ["a log without an address", saying({ logs: [{ topics: [], data: "0x" }] })],
    [
      "a log with a short topic",
      saying({ logs: [{ address: `0x${"11".repeat(20)}`, topics: ["0x1"], data: "0x" }] }),
    ],
    ["half a byte", saying({ returnData: "0x1" })],
    ["no balance", { eth_simulateV1: { result: [{ calls: [outcome, outcome, outcome] }] } }],
    ["no list", { eth_createAccessList: { result: {} } }],
    ["no addresses in the list", { eth_createAccessList: { result: { accessList: [{ address: "0x1" }] } } }],
  ])("that answers with %s is rejected", async (_, said) => {
    lies = said;
    await expect(simulator().simulate(aCall())).rejects.toThrow("cannot be read");
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
    const away = makeChainSimulator({ chainId: 1, rpcUrl: `http://127.0.0.1:${port}/an-access-key` });
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
    expect(await reader().readCall(hash)).toEqual({ ...call, block: null, blockHash: null });
    expect(await simulator().readNonces(from)).toEqual({ latest: 0, pending: 1 });
    await chain().setAutomine(true);
    await chain().mine({ blocks: 1 });
    const { blockNumber, blockHash } = await chain().waitForTransactionReceipt({ hash, pollingInterval: 50 });
    expect(await reader().readCall(hash)).toEqual({ ...call, block: blockNumber, blockHash });
    expect(await simulator().readNonces(from)).toEqual({ latest: 1, pending: 1 });
  });

  test("that is unknown is not found", async () => {
    expect(await reader().readCall(`0x${"12".repeat(32)}`)).toBeUndefined();
  });
});
