import { describe, expect, test } from "vitest";
import type { Log } from "@countersign/platform/log";
import type { Block, ChainReader, SentCall } from "../../adapters/chain/index.ts";
import type { Hex } from "../transaction.ts";
import type { Sightings } from "./sightings.ts";
import type { Carried, Watched, WatchStore } from "./store/executions.ts";
import type { ReadBlock } from "./store/read-block.ts";
import { makeWatchChain } from "./watch-chain.ts";
import type { WatchUses } from "./watch-uses.ts";

const chainId = 5;
const word = (digits: string): Hex => `0x${digits.padStart(64, "0")}`;
const wallet: Hex = `0x${"a1".repeat(20)}`;
const place: Hex = `0x${"11".repeat(20)}`;

/** `branch` distinguishes the blocks of one number before and after a reorg. */
const hashOf = (number: number, branch = ""): Hex => word(`b${branch}${number.toString().padStart(4, "0")}`);
const aBlock = (number: number, branch = "", parent = branch, calls: readonly SentCall[] = []): Block => ({
  ...{ number: BigInt(number), hash: hashOf(number, branch), timestamp: BigInt(number * 10) },
  ...{ parentHash: hashOf(number - 1, parent), calls, tuples: [] },
});
const blocksUpTo = (last: number): Block[] => Array.from({ length: last + 1 }, (_, number) => aBlock(number));
const read = (...numbers: readonly number[]): ReadBlock[] =>
  numbers.map((number) => ({ number: BigInt(number), hash: hashOf(number) }));

const aCall = (changes: Partial<SentCall> = {}): SentCall => ({
  ...{ hash: word("c1"), from: wallet, to: place, value: 5n, dataHash: word("d1") },
  ...changes,
});
const aWatched = (changes: Partial<Watched> = {}): Watched => ({
  ...{ id: "one", escrow: wallet, to: place, value: 5n, dataHash: word("d1") },
  ...{ phase: "READY", isCarried: false },
  ...changes,
});
const aCarried = (changes: Partial<Carried> = {}): Carried => ({
  ...{ id: "holder", escrow: wallet, phase: "CONFIRMING", final: false, hash: word("c1") },
  ...{ block: 1n, blockHash: hashOf(1) },
  ...changes,
});

type World = {
  readonly blocks: readonly Block[];
  readonly finalized?: number;
  readonly cursor?: readonly ReadBlock[];
  readonly chain?: Partial<ChainReader>;
  readonly store?: Partial<WatchStore>;
  readonly sightings?: Partial<Sightings>;
  readonly uses?: Partial<WatchUses>;
  readonly watched?: readonly Watched[];
  readonly carrying?: readonly Carried[];
  readonly stray?: readonly Carried[];
  readonly carried?: readonly Carried[];
};

/** A chain and a store in memory. `did` lists, in order, every requested change. */
function aWatch(world: World) {
  const { blocks, finalized = 0, watched = [], carrying = [], stray = [], carried = [] } = world;
  const made = performance.now();
  const did: unknown[][] = [];
  const asked: unknown[][] = [];
  let cursor = world.cursor ?? [];
  const find = (number: bigint) => blocks[Number(number)];
  const note =
    (name: string) =>
    async (...given: unknown[]) =>
      void did.push([name, ...given]);
  const chain = {
    chainId,
    readHead: async () => blocks.at(-1),
    readFinalized: async () => BigInt(finalized),
    readBlock: async (number: bigint) => find(number),
    readHeader: async (number: bigint) => find(number),
    readReceipt: async (hash: Hex, of: Hex) => {
      asked.push(["receipt", hash, of]);
      const block = blocks.find(({ calls }) => calls.some((call) => call.hash === hash)) ?? blocks.at(-1);
      return { succeeded: true, block: block?.number, blockHash: block?.hash };
    },
    readInnerCalls: async () => [],
    ...world.chain,
  } as unknown as ChainReader;
  const store = {
    readCursor: async () => cursor,
    moveCursor: async (_: number, from: ReadBlock | undefined, recent: readonly ReadBlock[]) => {
      const numbers = recent.map(({ number }) => Number(number));
      did.push(["move", from === undefined ? undefined : Number(from.number), numbers]);
      cursor = recent;
      return true;
    },
    noteCaughtUp: async (of: number, seconds: number) => {
      // No round can have begun before its world was made.
      did.push(["caught up", of, seconds >= 0 && seconds * 1000 <= performance.now() - made]);
    },
    listWallets: async () => [],
    readEarliest: async () => undefined,
    listWatched: async (...given: unknown[]) => {
      asked.push(["watched", ...given]);
      return watched;
    },
    listCarrying: async (...given: unknown[]) => {
      asked.push(["carrying", ...given]);
      return carrying;
    },
    listStray: async (of: number, recent: readonly ReadBlock[], range: unknown) => {
      asked.push(["stray", of, recent.length, range]);
      return stray;
    },
    listCarriedUpTo: async (...given: unknown[]) => {
      asked.push(["carried", ...given]);
      return carried;
    },
    ...world.store,
  } as unknown as WatchStore;
  const sightings = {
    see: async (...given: unknown[]) => Boolean(did.push(["see", ...given])),
    ...{ seeOther: note("other"), seeAgain: note("again"), lookAgain: note("look"), finish: note("finish") },
    ...world.sightings,
  } as unknown as Sightings;
  const log = {
    warn: (_: string, fields: unknown) => did.push(["warn", fields]),
    error: (_: string, fields: unknown) => did.push(["error", fields]),
  } as unknown as Log;
  const noteUses =
    (name: string) =>
    async (...given: unknown[]) =>
      void asked.push([`uses: ${name}`, ...given]);
  const uses: WatchUses = {
    ...{ read: noteUses("read"), lookAgain: noteUses("look"), check: noteUses("check") },
    ...{ finish: noteUses("finish"), begin: noteUses("begin"), ...world.uses },
  };
  const watch = makeWatchChain({ chain, store, sightings, uses, log });
  const only = (...names: readonly string[]) => did.filter(([name]) => names.includes(String(name)));
  const askedFor = (name: string) => asked.filter(([one]) => one === name);
  return { watch, did, only, askedFor, cursor: () => cursor };
}

describe("reading", () => {
  test("starts at the final block and reads to the head", async () => {
    const { watch, did, askedFor } = aWatch({ blocks: blocksUpTo(4), finalized: 2 });
    expect(await watch()).toBe(0);
    expect(did).toEqual([
      ["move", undefined, [2]],
      ["move", 2, [2, 3, 4]],
      ["caught up", chainId, true],
    ]);
    expect(askedFor("carried")).toEqual([["carried", chainId, 2n]]);
    expect(askedFor("stray")).toEqual([["stray", chainId, 1, { from: 0n, upTo: undefined }]]);
  });

  test("continues where the last round ended", async () => {
    const { watch, did, askedFor } = aWatch({ blocks: blocksUpTo(4), finalized: 4, cursor: read(1, 2) });
    expect(await watch()).toBe(0);
    expect(did).toEqual([
      ["move", 2, [1, 2, 3, 4]],
      ["caught up", chainId, true],
    ]);
    expect(askedFor("stray")).toEqual([["stray", chainId, 2, { from: 1n, upTo: 2n }]]);
  });

  test("moves nothing at the head", async () => {
    const { watch, did, askedFor } = aWatch({ blocks: blocksUpTo(2), finalized: 9, cursor: read(2) });
    expect(await watch()).toBe(0);
    expect(did).toEqual([["caught up", chainId, true]]);
    expect(askedFor("carried")).toEqual([["carried", chainId, 2n]]);
    expect(askedFor("stray")).toEqual([["stray", chainId, 1, { from: 2n, upTo: 2n }]]);
  });

  test("reads 100 blocks at most, and returns how many are left", async () => {
    const { watch, only, cursor, askedFor } = aWatch({
      blocks: blocksUpTo(102),
      finalized: 102,
      cursor: read(0),
    });
    expect(await watch()).toBe(2);
    expect(cursor().at(-1)?.number).toBe(100n);
    expect(only("caught up")).toEqual([]);
    expect(askedFor("carried")).toEqual([["carried", chainId, 100n]]);
  });

  test("remembers the last 256 blocks", async () => {
    const numbers = Array.from({ length: 256 }, (_, number) => number);
    const { watch, cursor } = aWatch({ blocks: blocksUpTo(257), cursor: read(...numbers) });
    await watch();
    expect(cursor()).toEqual(read(...numbers.map((number) => number + 2)));
  });

  test("stops where the chain changes during reading", async () => {
    const blocks = [...blocksUpTo(3), aBlock(4, "2"), aBlock(5, "2")];
    const { watch, cursor, only } = aWatch({ blocks, cursor: read(2) });
    expect(await watch()).toBe(2);
    expect(cursor()).toEqual(read(2, 3));
    expect(only("caught up")).toEqual([]);
  });

  test("reads nothing above the head, also if the node has more by now", async () => {
    const blocks = blocksUpTo(3);
    const { watch, cursor } = aWatch({ blocks, cursor: read(1), chain: { readHead: async () => aBlock(2) } });
    expect(await watch()).toBe(0);
    expect(cursor()).toEqual(read(1, 2));
  });

  test("stops at a block that the node does not have", async () => {
    const chain = { readBlock: async () => undefined };
    const { watch, did } = aWatch({ blocks: blocksUpTo(3), cursor: read(2), chain });
    expect(await watch()).toBe(1);
    expect(did).toEqual([]);
  });

  test("stops reading when it is told to stop", async () => {
    const stop = new AbortController();
    const chain = {
      readInnerCalls: async () => {
        stop.abort();
        return [];
      },
    };
    const world = { blocks: blocksUpTo(5), cursor: read(2), chain };
    const listWallets = async () => [wallet];
    const { watch, cursor } = aWatch({ ...world, store: { listWallets } });
    expect(await watch(stop.signal)).toBe(2);
    expect(cursor()).toEqual(read(2, 3));
  });

  test("keeps its progress when it fails", async () => {
    const failing = aBlock(4, "", "", [aCall()]);
    const blocks = [...blocksUpTo(3), failing];
    const chain = { readReceipt: async () => undefined };
    const { watch, only, cursor } = aWatch({ blocks, cursor: read(2), chain, watched: [aWatched()] });
    await expect(watch()).rejects.toThrow("chain 5: no receipt for what is in block 4");
    expect(cursor()).toEqual(read(2, 3));
    expect(only("see")).toEqual([]);
  });
});

describe("a reorg", () => {
  const replaced = [...blocksUpTo(2), aBlock(3, "2", ""), aBlock(4, "2")];

  test("rewinds to the last common block before anything else, and reads the new ones", async () => {
    const { watch, did, askedFor } = aWatch({
      blocks: replaced,
      cursor: read(1, 2, 3, 4),
      stray: [aCarried()],
    });
    expect(await watch()).toBe(0);
    expect(did).toEqual([
      ["warn", { key: "5", count: 2 }],
      ["move", 4, [1, 2]],
      ["look", aCarried()],
      ["move", 2, [1, 2, 3, 4]],
      ["caught up", chainId, true],
    ]);
    expect(askedFor("stray")).toEqual([["stray", chainId, 2, { from: 1n, upTo: undefined }]]);
  });

  test("checks everything again if one common block is left", async () => {
    const { watch, askedFor } = aWatch({ blocks: replaced, cursor: read(2, 3, 4) });
    await watch();
    expect(askedFor("stray")).toEqual([["stray", chainId, 1, { from: 0n, upTo: undefined }]]);
  });

  test("to a shorter chain rewinds as well", async () => {
    const { watch, did } = aWatch({ blocks: blocksUpTo(2), cursor: read(1, 2, 3) });
    expect(await watch()).toBe(0);
    expect(did.slice(0, 2)).toEqual([
      ["warn", { key: "5", count: 1 }],
      ["move", 3, [1, 2]],
    ]);
  });

  test("rewinds before a block that the node no longer has", async () => {
    const blocks = blocksUpTo(3);
    const readHeader = async (number: bigint) => (number === 3n ? undefined : blocks[Number(number)]);
    const { watch, did } = aWatch({ blocks, cursor: read(2, 3), chain: { readHeader } });
    await watch();
    expect(did.slice(0, 2)).toEqual([
      ["warn", { key: "5", count: 1 }],
      ["move", 3, [2]],
    ]);
  });

  test("does not ask the node for blocks above its head", async () => {
    const asked: bigint[] = [];
    const blocks = blocksUpTo(2);
    const readHeader = async (number: bigint) => {
      asked.push(number);
      return blocks[Number(number)];
    };
    await aWatch({ blocks, cursor: read(1, 2, 3), chain: { readHeader } }).watch();
    expect(asked).toEqual([2n]);
  });

  test("beyond the stored blocks starts again", async () => {
    const blocks = [...blocksUpTo(0), aBlock(1, "2", ""), aBlock(2, "2"), aBlock(3, "2")];
    const { watch, did, askedFor } = aWatch({ blocks, finalized: 1, cursor: read(2, 3) });
    expect(await watch()).toBe(0);
    expect(did).toEqual([
      ["error", { key: "5", count: 2 }],
      ["move", 3, [1]],
      ["move", 1, [1, 2, 3]],
      ["caught up", chainId, true],
    ]);
    expect(askedFor("stray")).toEqual([["stray", chainId, 1, { from: 0n, upTo: undefined }]]);
  });

  test("is left to another process that moved the cursor first", async () => {
    const store = { moveCursor: async () => false };
    const { watch, did, askedFor } = aWatch({ blocks: replaced, cursor: read(1, 2, 3), store });
    expect(await watch()).toBe(1);
    expect(did).toEqual([["warn", { key: "5", count: 1 }]]);
    expect(askedFor("stray")).toEqual([]);
  });

  test("changes nothing if there was no cursor and another process created one", async () => {
    const store = { moveCursor: async () => false };
    expect(await aWatch({ blocks: blocksUpTo(3), store }).watch()).toBe(0);
  });

  test("reports no remaining blocks below the head", async () => {
    const store = { moveCursor: async () => false };
    expect(await aWatch({ blocks: blocksUpTo(1), cursor: read(1, 2, 3), store }).watch()).toBe(0);
  });
});

/** Reads block 1 with these calls in it. */
const aReading = (calls: readonly SentCall[], world: Partial<World> = {}) =>
  aWatch({ blocks: [aBlock(0), aBlock(1, "", "", calls)], cursor: read(0), ...world });
const seen = { execution: { hash: word("c1"), block: 1n, blockHash: hashOf(1) }, succeeded: true };

describe("a call in a block", () => {
  test("is assigned to the transaction with this call", async () => {
    const { watch, only, askedFor } = aReading([aCall()], { watched: [aWatched()] });
    await watch();
    expect(only("see", "other", "again")).toEqual([["see", "one", seen]]);
    expect(askedFor("receipt")).toEqual([["receipt", word("c1"), wallet]]);
    expect(askedFor("watched")).toEqual([["watched", chainId, [aCall()], { block: 10n, head: 10n }]]);
    expect(askedFor("carrying")).toEqual([["carrying", chainId, [word("c1")]]]);
  });

  test("is reported as reverted if its receipt says so", async () => {
    const readReceipt = async () => ({ succeeded: false, block: 1n, blockHash: hashOf(1) });
    const { watch, only } = aReading([aCall()], { watched: [aWatched()], chain: { readReceipt } });
    await watch();
    expect(only("see")).toEqual([["see", "one", { ...seen, succeeded: false }]]);
  });

  test("is skipped if its receipt is of another block", async () => {
    const readReceipt = async () => ({ succeeded: true, block: 1n, blockHash: hashOf(1, "2") });
    const { watch } = aReading([aCall()], { watched: [aWatched()], chain: { readReceipt } });
    await expect(watch()).rejects.toThrow("no receipt");
  });

  test.each([
    ["value", { value: 6n }],
    ["data", { dataHash: word("d2") }],
  ])("with another %s is reported as another call, if the transaction is approved", async (_, changes) => {
    const watched = [aWatched(), aWatched({ id: "two", phase: "BROADCAST" })];
    const { watch, only, askedFor } = aReading([aCall(changes)], { watched });
    await watch();
    expect(only("see", "other", "again")).toEqual([["other", "one"]]);
    expect(askedFor("receipt")).toEqual([]);
  });

  test.each([
    ["from another wallet", { from: place }],
    ["to another place", { to: wallet }],
    ["that creates a contract", { to: null }],
  ])("%s is ignored", async (_, changes) => {
    const { watch, only, askedFor } = aReading([aCall(changes)], { watched: [aWatched()] });
    await watch();
    expect(only("see", "other", "again")).toEqual([]);
    expect(askedFor("carrying")).toEqual([["carrying", chainId, []]]);
  });

  test("that creates a contract is not compared with any transaction", async () => {
    const { watch, askedFor } = aReading([aCall({ to: null })]);
    await watch();
    expect(askedFor("watched")).toEqual([["watched", chainId, [], { block: 10n, head: 10n }]]);
  });

  test("is not reported as another call for a transaction of another wallet or destination", async () => {
    const watched = [
      aWatched(),
      aWatched({ id: "two", escrow: place }),
      aWatched({ id: "three", to: wallet }),
    ];
    const { watch, only } = aReading([aCall({ value: 6n })], { watched });
    await watch();
    expect(only("other")).toEqual([["other", "one"]]);
  });

  test("is assigned to the first transaction that accepts it", async () => {
    const watched = ["one", "two", "three"].map((id) => aWatched({ id }));
    const did: string[] = [];
    const see = async (id: string) => {
      did.push(id);
      return id === "two";
    };
    const { watch, only } = aReading([aCall()], { watched, sightings: { see } });
    await watch();
    expect(did).toEqual(["one", "two"]);
    expect(only("again")).toEqual([]);
  });

  test.each([true, false])(
    "that no transaction accepts is a repetition if it succeeded: %s",
    async (succeeded) => {
      const watched = [aWatched(), aWatched({ id: "two" }), aWatched({ id: "three", value: 6n })];
      const readReceipt = async () => ({ succeeded, block: 1n, blockHash: hashOf(1) });
      const world = { watched, chain: { readReceipt }, sightings: { see: async () => false } };
      const { watch, only } = aReading([aCall()], world);
      await watch();
      expect(only("again")).toEqual(
        succeeded
          ? [
              ["again", "one"],
              ["again", "two"],
            ]
          : [],
      );
    },
  );
});

describe("a call that a transaction already has", () => {
  const other = hashOf(1, "2");

  test.each([
    ["in this block", aCarried()],
    ["in this block, as final", aCarried({ final: true })],
    ["as final, in another block", aCarried({ final: true, blockHash: other })],
  ])("%s is not checked again", async (_, holder) => {
    const { watch, only, askedFor } = aReading([aCall()], { watched: [aWatched()], carrying: [holder] });
    await watch();
    expect(only("see", "again", "other")).toEqual([]);
    expect(askedFor("receipt")).toEqual([]);
  });

  test("in a block that is gone is assigned to that transaction only", async () => {
    const carrying = [aCarried({ blockHash: other })];
    const sightings = { see: async () => false };
    const { watch, only } = aReading([aCall()], { watched: [aWatched()], carrying });
    await watch();
    expect(only("see")).toEqual([["see", "holder", seen]]);
    const refused = aReading([aCall()], { watched: [aWatched()], carrying, sightings });
    await refused.watch();
    expect(refused.only("again", "other")).toEqual([]);
  });

  test("in a block that is gone is followed also if its call differs", async () => {
    const carrying = [aCarried({ blockHash: other })];
    const { watch, only } = aReading([aCall({ value: 6n })], { watched: [aWatched()], carrying });
    await watch();
    expect(only("see", "other")).toEqual([["see", "holder", seen]]);
  });

  test.each([
    ["another call", aCarried({ hash: word("c2") })],
    ["the call of another wallet", aCarried({ escrow: place })],
  ])("is not one if the transaction has %s", async (_, holder) => {
    const { watch, only } = aReading([aCall()], { watched: [aWatched()], carrying: [holder] });
    await watch();
    expect(only("see")).toEqual([["see", "one", seen]]);
  });
});

describe("calls that contract wallets make", () => {
  const inner = aCall();

  test("are read like any other", async () => {
    const told: unknown[] = [];
    const readInnerCalls: ChainReader["readInnerCalls"] = async ({ hash }, wallets) => {
      told.push([hash, wallets]);
      return [{ ...inner, to: place }];
    };
    const store = { listWallets: async () => [wallet] };
    const { watch, only } = aReading([], { watched: [aWatched()], chain: { readInnerCalls }, store });
    await expect(watch()).resolves.toBe(0);
    expect(told).toEqual([[hashOf(1), new Set([wallet])]]);
    expect(only("see")).toEqual([["see", "one", seen]]);
  });

  test("are not requested if no wallet waits", async () => {
    const readInnerCalls = () => Promise.reject(new Error("not asked for"));
    const { watch } = aReading([], { chain: { readInnerCalls } });
    await expect(watch()).resolves.toBe(0);
  });
});

test("finishes every transaction it can, and reports the first failure", async () => {
  const finished: string[] = [];
  const finish = async ({ id }: Carried) => {
    if (id !== "good") throw new Error(id);
    finished.push(id);
  };
  const carried = ["bad", "good", "worse"].map((id) => aCarried({ id }));
  const { watch } = aWatch({ blocks: blocksUpTo(1), cursor: read(1), carried, sightings: { finish } });
  await expect(watch()).rejects.toThrow("bad");
  expect(finished).toEqual(["good"]);
});
