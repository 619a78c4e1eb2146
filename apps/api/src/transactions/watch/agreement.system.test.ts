// The chain watch on real blocks, with nodes of which one lies: no lie changes the state of a proposal.
import { sql } from "kysely";
import { toEventSelector } from "viem";
import { makeLog } from "@countersign/platform/log";
import { startLyingNode, type LyingNode } from "@countersign/tools/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { makeAgreedReader, makeChainReader } from "../../adapters/chain/index.ts";
import { makeExpireOverdue } from "./expire.ts";
import { makeSightings } from "./index.ts";
import { makeWatchUses } from "./watch-uses.ts";
import { makeWatchChain, type WatchChain } from "./watch-chain.ts";
import {
  aCall,
  finalDepth,
  setHarness,
  somewhere,
  type Harness,
  type Wallet,
} from "../../../test/transactions/watch/harness.ts";
import { encode, setStage, type Stage } from "../../../test/transactions/watch/uses.ts";
import type { Hex } from "../transaction.ts";

const log = makeLog({ app: "test", level: "silent" });
let harness: Harness;
let stage: Stage;
let wallet: Wallet;
const nodes: LyingNode[] = [];
let differing = 0;

beforeAll(async () => {
  harness = await setHarness();
  stage = await setStage(harness);
  for (const _ of [1, 2, 3]) nodes.push(await startLyingNode(() => harness.node.url));
});
beforeEach(async () => {
  wallet = await harness.aWallet();
  await harness.mine(finalDepth + 1);
  await harness.watch();
  differing = 0;
});
afterEach(() => {
  for (const node of nodes) node.isHonest();
});
afterAll(async () => {
  for (const node of nodes) node.close();
  await harness.close();
});

const [liar, second, third] = [() => nodes[0], () => nodes[1], () => nodes[2]];
/** A process that knows only what is in the database, and asks these nodes. Two of them must agree. */
function reading(...chosen: readonly (LyingNode | undefined)[]) {
  const { chainId } = harness;
  const [first, ...others] = chosen.map((node) =>
    makeChainReader({ chainId, rpcUrls: [node?.url ?? ""], timeoutMs: 2_000 }),
  );
  if (first === undefined) throw new Error("no node");
  return makeAgreedReader({
    readers: [first, ...others],
    minNodes: 2,
    onDiffering: () => {
      differing += 1;
    },
  });
}
function watching(...chosen: readonly (LyingNode | undefined)[]): WatchChain {
  const chain = reading(...chosen);
  const sightings = makeSightings({ transition: harness.transition, chain });
  const uses = makeWatchUses({ chain, store: harness.watchStore.uses, transition: harness.transition, log });
  return makeWatchChain({ chain, store: harness.watchStore, sightings, uses, log });
}
const ofThree = (): WatchChain => watching(liar(), second(), third());
const ofTwo = (): WatchChain => watching(liar(), second());
/** Rounds of a process, of which each may fail, as in a worker. */
async function tryRounds(watch: WatchChain): Promise<void> {
  for (let round = 0; round < 3; round++) await watch().catch(() => undefined);
}

type Members = Readonly<Record<string, unknown>>;
const word = (digits: string): string => `0x${digits.padStart(64, "0")}`;
const inBlocks = (change: (block: Members) => object) => (method: string, result: unknown) =>
  method === "eth_getBlockByNumber" && result !== null
    ? { ...(result as Members), ...change(result as Members) }
    : result;
const inReceipts = (change: (receipt: Members) => unknown) => (method: string, result: unknown) =>
  method === "eth_getTransactionReceipt" && result !== null ? change(result as Members) : result;

const lies: readonly (readonly [string, Parameters<LyingNode["lie"]>[0]])[] = [
  ["another hash of each block", inBlocks(({ number }) => ({ hash: word(`e${String(number).slice(2)}`) }))],
  ["another parent", inBlocks(() => ({ parentHash: word("e1") }))],
  ["another time", inBlocks(() => ({ timestamp: "0x5" }))],
  [
    "withheld transactions",
    inBlocks(({ transactions }) => ({ transactions: (transactions as unknown[]).slice(1) })),
  ],
  [
    "a transaction with another value",
    inBlocks(({ transactions }) => ({
      transactions: (transactions as (Members | string)[]).map((one) =>
        typeof one === "string" ? one : { ...one, value: "0x9" },
      ),
    })),
  ],
  ["a withheld receipt", inReceipts(() => null)],
  ["a receipt of a failure", inReceipts((receipt) => ({ ...receipt, status: "0x0", logs: [] }))],
  ["a receipt in another block", inReceipts((receipt) => ({ ...receipt, blockHash: word("e2") }))],
  ["no blocks at all", (method, result) => (method === "eth_getBlockByNumber" ? null : result)],
];

describe("a transaction that was sent", () => {
  test.each(lies)("is executed if two of three nodes show it, and not one: %s", async (_, lie) => {
    const call = aCall();
    const proposal = await harness.aProposal(wallet, call);
    const { hash } = await wallet.send(call);
    liar()?.lie(lie);
    await tryRounds(ofTwo());
    expect(await harness.read(proposal)).toMatchObject({ phase: "READY" });
    await harness.watch(ofThree());
    expect(await harness.read(proposal)).toMatchObject({ phase: "CONFIRMING", hash });
    await harness.mine(finalDepth);
    // Final, if both have the same receipt, and otherwise as it was.
    await tryRounds(ofTwo());
    expect(["CONFIRMING", "EXECUTED"]).toContain((await harness.read(proposal)).phase);
    await harness.watch(ofThree());
    expect(await harness.read(proposal)).toMatchObject({ phase: "EXECUTED", hash });
    expect(differing).toBeGreaterThan(0);
  });

  test("is not final because one node says so", async () => {
    const call = aCall();
    const proposal = await harness.aProposal(wallet, call);
    await wallet.send(call);
    const { number } = await harness.chain.getBlock();
    const newest = await harness.rpc("eth_getBlockByNumber", `0x${number.toString(16)}`, false);
    liar()?.lie((method, result, [tag]) =>
      method === "eth_getBlockByNumber" && tag === "finalized" ? newest : result,
    );
    await harness.watch(ofTwo());
    await harness.watch(ofThree());
    expect(await harness.read(proposal)).toMatchObject({ phase: "CONFIRMING" });
    await harness.watch(harness.aWatcher(liar()?.url));
    expect(await harness.read(proposal)).toMatchObject({ phase: "EXECUTED" });
  });
});

describe("a released signature", () => {
  const topic = (address: Hex): Hex => `0x${address.slice(2).padStart(64, "0")}`;
  const released = async () => {
    const { data, message, call } = await stage.aPayment(wallet);
    return { transaction: await stage.release(wallet, data), message, call };
  };

  test.each([
    ["withheld events", (method: string, result: unknown) => (method === "eth_getLogs" ? [] : result)],
    ["a receipt without events", inReceipts((receipt) => ({ ...receipt, logs: [] }))],
    ["an unused nonce", (method: string, result: unknown) => (method === "eth_call" ? word("0") : result)],
  ] as const)("is used if two of three nodes show it: %s", async (_, lie) => {
    const { transaction, message, call } = await released();
    const { hash } = await stage.relay(stage.token, call);
    await stage.wait(Number(message.validBefore) - (await stage.nowOnChain()) + 1);
    liar()?.lie(lie);
    await harness.watch(ofThree());
    await harness.checkUsesNow();
    await harness.watch(ofThree());
    expect(await harness.read(transaction)).toMatchObject({
      onchain: "useSeen",
      use: { outcome: "used", hash },
    });
  });

  test("is not used because one node says so", async () => {
    const seenBy = async (watcher: () => WatchChain) => {
      const { transaction, message } = await released();
      const { hash } = await stage.relay(stage.token, encode("SigningToken", "mint", somewhere(), 1n));
      const { blockHash } = await harness.chain.getTransactionReceipt({ hash });
      const log = (topics: readonly Hex[], data: string) => ({
        ...{ address: stage.token, topics, data, transactionHash: hash, blockHash },
        ...{ blockNumber: "0x1", transactionIndex: "0x0", logIndex: "0x0", removed: false },
      });
      const used = toEventSelector("AuthorizationUsed(address,bytes32)");
      const paid = toEventSelector("Transfer(address,address,uint256)");
      const events = [
        log([used, topic(wallet.address), message.nonce], "0x"),
        log([paid, topic(wallet.address), topic(message.to)], word(BigInt(message.value).toString(16))),
      ];
      liar()?.lie((method, result, [first]) => {
        const isOf = (first as { blockHash?: unknown } | undefined)?.blockHash === blockHash;
        if (method === "eth_getLogs") return isOf ? events : result;
        if (method !== "eth_getTransactionReceipt" || first !== hash) return result;
        return { ...(result as Members), logs: events };
      });
      await harness.watch(watcher());
      return harness.read(transaction);
    };
    expect(await seenBy(ofThree)).toMatchObject({ onchain: "released", use: null });
    expect(await seenBy(() => harness.aWatcher(liar()?.url))).toMatchObject({ onchain: "useSeen" });
  });
});

/** The newest block has one more transaction, with a receipt. */
async function invented(from: string, to: string): Promise<Parameters<LyingNode["lie"]>[0]> {
  const { number, hash } = await harness.chain.getBlock();
  const place = { blockNumber: `0x${number.toString(16)}`, blockHash: hash, transactionIndex: "0x0" };
  const one = {
    ...{ hash: word("e5"), from, to, value: "0x3e8", input: "0x", nonce: "0x0", gas: "0x5208" },
    ...{ gasPrice: "0x1", type: "0x0", ...place },
  };
  const receipt = {
    ...{ transactionHash: word("e5"), from, to, status: "0x1", logs: [], type: "0x0", ...place },
    ...{ gasUsed: "0x5208", cumulativeGasUsed: "0x5208", effectiveGasPrice: "0x1" },
  };
  const inBlock = inBlocks(({ transactions, hash: ofBlock }) =>
    ofBlock === hash ? { transactions: [...(transactions as unknown[]), one] } : {},
  );
  return (method, result) => (method === "eth_getTransactionReceipt" ? receipt : inBlock(method, result));
}

describe("a transaction that was not sent", () => {
  test("is not executed because one node invents it, with a receipt", async () => {
    const call = aCall();
    const proposal = await harness.aProposal(wallet, call);
    await harness.mine(1);
    liar()?.lie(await invented(wallet.address, call.to));
    await tryRounds(ofTwo());
    await harness.watch(ofThree());
    expect(await harness.read(proposal)).toMatchObject({ phase: "READY" });
  });
});

describe("an old head of one node", () => {
  /** The node stays where it is now. */
  async function freeze(): Promise<void> {
    const { number } = await harness.chain.getBlock();
    const old = await harness.rpc("eth_getBlockByNumber", `0x${number.toString(16)}`, false);
    liar()?.lie((method, result, [tag]) => {
      if (method !== "eth_getBlockByNumber") return result;
      if (tag === "latest") return old;
      return tag !== "finalized" && BigInt(String(tag)) > number ? null : result;
    });
  }
  const expire = (...chosen: readonly (LyingNode | undefined)[]) =>
    makeExpireOverdue({
      ...{ store: harness.store, transition: harness.transition, log },
      chainOf: () => reading(...chosen),
    });

  test("does not let an approval expire whose transaction the others have", async () => {
    const call = aCall();
    const proposal = await harness.aProposal(wallet, call);
    await freeze();
    await wallet.send(call);
    await harness.mine(4);
    await sql`update transactions set expires_at = now() where id = ${proposal.id}`.execute(harness.db);
    await tryRounds(ofTwo());
    await expire(liar(), second())();
    expect(await harness.read(proposal)).toMatchObject({ phase: "READY" });
    await harness.watch(ofThree());
    expect(await harness.read(proposal)).toMatchObject({ phase: "CONFIRMING" });
  });

  test("does not move the place that was read back", async () => {
    await harness.mine(3);
    await harness.watch(ofThree());
    const place = await harness.watchStore.readCursor(harness.chainId);
    const old = await harness.rpc("eth_getBlockByNumber", "0x1", false);
    liar()?.lie((method, result, [tag]) =>
      method === "eth_getBlockByNumber" && tag === "latest" ? old : result,
    );
    await tryRounds(ofTwo());
    await harness.watch(ofThree());
    expect(await harness.watchStore.readCursor(harness.chainId)).toEqual(place);
  });

  test("and code that one node invents do not decide whether an approval expires", async () => {
    const proposal = await harness.aProposal(wallet, aCall({ to: somewhere() }));
    await sql`update transactions set expires_at = now() where id = ${proposal.id}`.execute(harness.db);
    await harness.watch(ofThree());
    liar()?.lie((method, result) => (method === "eth_getCode" ? "0x6001" : result));
    await expire(liar(), second())();
    expect(await harness.read(proposal)).toMatchObject({ phase: "READY" });
    await expire(liar(), second(), third())();
    expect(await harness.read(proposal)).toMatchObject({ phase: "FAILED", reason: "EXPIRED" });
  });
});

// Last, because the invented transaction stays in the database.
test("the invented transaction counts where one node is believed", async () => {
  const call = aCall();
  const proposal = await harness.aProposal(wallet, call);
  await harness.mine(1);
  liar()?.lie(await invented(wallet.address, call.to));
  await tryRounds(harness.aWatcher(liar()?.url));
  expect(await harness.read(proposal)).toMatchObject({ phase: "CONFIRMING" });
});
