import { expect, test } from "vitest";
import type { Hex } from "@countersign/wire";
import type { Block, RecordedRoot } from "../adapters/inbox/index.ts";
import { aWord, anAddress } from "../../test/proposals.ts";
import { makeWatch } from "./watch-inbox.ts";

type Mined = {
  readonly hash: Hex;
  readonly recorded: readonly Hex[];
  readonly roots: readonly RecordedRoot[];
};

/** A chain that grows, and loses blocks in reorgs. */
function aChain(lookbackBlocks = 5) {
  const blocks: Mined[] = [];
  const started: (Hex | RecordedRoot)[] = [];
  let isEngineAway = false;
  const mine = (...recorded: Hex[]): void => void blocks.push({ hash: aWord(), recorded, roots: [] });
  const mineRoot = (...roots: RecordedRoot[]): void =>
    void blocks.push({ hash: aWord(), recorded: [], roots });
  const take = async (one: Hex | RecordedRoot): Promise<void> => {
    if (isEngineAway) throw new Error("away");
    started.push(one);
  };
  const blockAt = (number: number): Block => ({ number: BigInt(number), hash: blocks[number]?.hash ?? "0x" });
  const watch = makeWatch({
    address: anAddress,
    lookbackBlocks,
    ...{ start: take, startRoot: take },
    inbox: {
      readHead: async () => blockAt(blocks.length - 1),
      isCurrent: async ({ number, hash }) => blocks[Number(number)]?.hash === hash,
      listRecorded: async ({ from, to }) => {
        const read = blocks.slice(Number(from), Number(to) + 1);
        return {
          requestHashes: read.flatMap(({ recorded }) => recorded),
          roots: read.flatMap(({ roots }) => roots),
        };
      },
    },
  });
  return {
    watch,
    mine,
    mineRoot,
    started,
    drop: (count: number) => void blocks.splice(-count),
    setEngine: (state: "away" | "here") => {
      isEngineAway = state === "away";
    },
  };
}

test("starts behind the newest block, and then continues from there", async () => {
  const { watch, mine, started } = aChain(2);
  const [old, recent, fresh] = [aWord(), aWord(), aWord()];
  mine(old);
  mine(recent);
  mine();
  mine();
  await watch.look();
  expect(started).toEqual([recent]);
  mine(fresh);
  await watch.look();
  await watch.look();
  expect(started).toEqual([recent, fresh]);
});
test("finds an entry that a reorg moved into a block it had read", async () => {
  const { watch, mine, drop, started } = aChain();
  const moved = aWord();
  for (let count = 0; count < 4; count++) mine();
  await watch.look();
  drop(3);
  mine(moved);
  for (let count = 0; count < 3; count++) mine();
  await watch.look();
  expect(started).toEqual([moved]);
});
test("also finds it while the new chain is still shorter", async () => {
  const { watch, mine, drop, started } = aChain();
  const moved = aWord();
  for (let count = 0; count < 4; count++) mine();
  await watch.look();
  drop(3);
  mine(moved);
  await watch.look();
  expect(started).toEqual([moved]);
});
test("starts a failed request in the next round", async () => {
  const { watch, mine, setEngine, started } = aChain();
  const [one, two] = [aWord(), aWord()];
  mine(one, two);
  setEngine("away");
  await expect(watch.look()).rejects.toThrow("away");
  setEngine("here");
  await watch.look();
  expect(started).toEqual([one, two]);
});
test("finds roots, and those in which a reorg put other proposals", async () => {
  const { watch, mine, mineRoot, drop, started } = aChain();
  const roots = [1, 2, 3].map(() => ({ root: aWord(), listDigest: aWord() }));
  const [first, second, third] = roots as [RecordedRoot, RecordedRoot, RecordedRoot];
  mine();
  mineRoot(first, second);
  await watch.look();
  drop(1);
  mineRoot(third);
  await watch.look();
  expect(started).toEqual([first, second, third]);
});
