import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Hex } from "@countersign/wire";
import { makeAgreedReader, type ChainReader, type Differing, type Header } from "./index.ts";

const word = (digits: string): Hex => `0x${digits.padStart(64, "0")}`;
const hash = word("c1");
const wallet: Hex = `0x${"a1".repeat(20)}`;

/** A chain up to a head, on a branch. */
function aNode(head: number, branch = "", changes: Partial<ChainReader> = {}): ChainReader {
  const headerOf = (number: bigint): Header => ({
    ...{ number, hash: word(`${branch}${number.toString()}`), timestamp: number * 10n },
  });
  const has = (number: bigint): boolean => number <= BigInt(head);
  return {
    chainId: 5,
    readHead: async () => headerOf(BigInt(head)),
    readFinalized: async () => BigInt(Math.max(0, head - 10)),
    readHeader: async (number) => (has(number) ? headerOf(number) : undefined),
    readBlock: async (number) =>
      has(number)
        ? { ...headerOf(number), parentHash: headerOf(number - 1n).hash, calls: [], tuples: [] }
        : undefined,
    readReceipt: async () => ({ succeeded: true, block: 90n, blockHash: headerOf(90n).hash }),
    readInnerCalls: async () => [],
    readEvents: async () => [],
    readMined: async () => undefined,
    readState: async () => "0x00",
    hasCode: async () => false,
    readCall: async () => ({ hash, from: wallet, to: wallet, value: 5n, dataHash: word("d1") }),
    ...changes,
  };
}

const down = (): Promise<never> => Promise.reject(new Error("it does not answer"));
const deadNode = (): ChainReader =>
  aNode(100, "", {
    ...{ readHead: down, readFinalized: down, readHeader: down, readBlock: down },
    ...{ readReceipt: down, readInnerCalls: down, hasCode: down, readCall: down },
    ...{ readEvents: down, readMined: down, readState: down },
  });

function agreed(nodes: readonly [ChainReader, ...ChainReader[]], minNodes: number) {
  const differing: Differing[] = [];
  const reader = makeAgreedReader({
    ...{ readers: nodes, minNodes },
    onDiffering: (one) => void differing.push(one),
  });
  return { reader, differing };
}

/** All answers that a watcher uses. */
const readAll = async (reader: ChainReader) => ({
  head: await reader.readHead(),
  finalized: await reader.readFinalized(),
  block: await reader.readBlock(90n),
  header: await reader.readHeader(90n),
  receipt: await reader.readReceipt(hash, wallet),
  inner: await reader.readInnerCalls({ hash }, new Set([wallet])),
  hasCode: await reader.hasCode(wallet),
  call: await reader.readCall(hash),
});

const liars: readonly (readonly [string, ChainReader])[] = [
  ["another branch", aNode(100, "b")],
  ["a head far above", aNode(9_000_000)],
  ["an old head", aNode(5)],
  ["everything as final", aNode(100, "", { readFinalized: async () => 100n })],
  ["nothing as final", aNode(100, "", { readFinalized: async () => 0n })],
  ["no receipt", aNode(100, "", { readReceipt: async () => undefined })],
  [
    "a failed receipt",
    aNode(100, "", { readReceipt: async () => ({ succeeded: false, block: 90n, blockHash: word("90") }) }),
  ],
  [
    "an invented call",
    aNode(100, "", {
      readInnerCalls: async () => [{ hash, from: wallet, to: wallet, value: 9n, dataHash: word("d1") }],
    }),
  ],
  ["no block", aNode(100, "", { readBlock: async () => undefined })],
  ["no header", aNode(100, "", { readHeader: async () => undefined })],
  ["code", aNode(100, "", { hasCode: async () => true })],
  ["no transaction", aNode(100, "", { readCall: async () => undefined })],
  ["nothing at all", deadNode()],
];

describe("two of three nodes", () => {
  test.each(liars)("decide, whatever the third one says: %s", async (_, liar) => {
    const honest = await readAll(aNode(100));
    for (const nodes of [
      [liar, aNode(100), aNode(100)],
      [aNode(100), liar, aNode(100)],
      [aNode(100), aNode(100), liar],
    ] as const)
      expect(await readAll(agreed(nodes, 2).reader)).toEqual(honest);
  });
});

describe("two of two nodes", () => {
  test.each(liars.filter(([what]) => what !== "nothing as final" && what !== "everything as final"))(
    "do not answer what they do not agree on: %s",
    async (_, liar) => {
      await expect(readAll(agreed([aNode(100), liar], 2).reader)).rejects.toThrow("no agreement on");
    },
  );

  test("call final what both call final", async () => {
    const eager = aNode(100, "", { readFinalized: async () => 100n });
    expect(await agreed([eager, aNode(100)], 2).reader.readFinalized()).toBe(90n);
  });

  test("read up to the older of their heads", async () => {
    expect((await agreed([aNode(100), aNode(98)], 2).reader.readHead()).number).toBe(98n);
  });
});

describe("several nodes", () => {
  test("go back only if enough of them say that the later block is gone", async () => {
    let heads = [100, 100, 100];
    const node = (at: number): ChainReader => {
      const now = () => aNode(heads[at] ?? 0);
      return { ...now(), readHead: () => now().readHead(), readHeader: (number) => now().readHeader(number) };
    };
    const { reader } = agreed([node(0), node(1), node(2)], 2);
    expect((await reader.readHead()).number).toBe(100n);
    heads = [100, 97, 5];
    await expect(reader.readHead()).resolves.toMatchObject({ number: 97n });
    heads = [99, 99, 99];
    expect((await reader.readHead()).number).toBe(99n);
  });

  test("report which of them differ, from 1, and nothing while they agree", async () => {
    const { reader, differing } = agreed([aNode(100), aNode(100, "b"), aNode(100)], 2);
    await reader.readHeader(90n);
    await sleep(0);
    expect(differing).toEqual([{ chainId: 5, question: "block 90", nodes: [2] }]);
    const alike = agreed([aNode(100), deadNode(), aNode(100)], 2);
    await readAll(alike.reader);
    expect(alike.differing).toEqual([]);
  });

  test("report all that answered if too few agree", async () => {
    const { reader, differing } = agreed([aNode(100), aNode(100, "b")], 2);
    await expect(reader.readHeader(90n)).rejects.toThrow("2 nodes answered, 2 must agree");
    expect(differing).toEqual([{ chainId: 5, question: "block 90", nodes: [1, 2] }]);
  });

  test("answer nothing while two groups are large enough", async () => {
    const { reader } = agreed([aNode(100), aNode(100), aNode(100, "b"), aNode(100, "b")], 2);
    await expect(reader.readHeader(90n)).rejects.toThrow("no agreement");
  });

  test("do not wait for one that hangs", async () => {
    const hanging = new Promise<never>(() => undefined);
    const third = aNode(100, "", { readHeader: () => hanging, readReceipt: () => hanging });
    const { reader } = agreed([third, aNode(100), aNode(100)], 2);
    expect((await reader.readHeader(90n))?.hash).toBe(word("90"));
    expect(await reader.readReceipt(hash, wallet)).toMatchObject({ succeeded: true });
  });

  test("say why one of them failed, if that leaves too few", async () => {
    await expect(agreed([aNode(100), deadNode()], 2).reader.readHeader(1n)).rejects.toThrow(
      "1 nodes answered, 2 must agree: it does not answer",
    );
  });

  test("never answer what fewer than the required number say", async () => {
    const branches = fc.constantFrom("", "b", "e");
    await fc.assert(
      fc.asyncProperty(fc.array(branches, { minLength: 2, maxLength: 6 }), fc.nat(3), async (kinds, more) => {
        const minNodes = Math.min(kinds.length, 2 + more);
        const [first, ...others] = kinds.map((branch) => aNode(100, branch));
        if (first === undefined) return;
        const { reader } = agreed([first, ...others], minNodes);
        const answer = await reader.readHeader(90n).catch(() => undefined);
        const enough = ["", "b", "e"].filter(
          (branch) => kinds.filter((kind) => kind === branch).length >= minNodes,
        );
        expect(answer?.hash).toBe(enough.length === 1 ? word(`${enough[0] ?? ""}90`) : undefined);
      }),
      { numRuns: 100 },
    );
  });
});
