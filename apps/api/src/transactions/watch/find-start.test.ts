import fc from "fast-check";
import { expect, test } from "vitest";
import type { Header } from "../../adapters/chain/index.ts";
import { findStart } from "./find-start.ts";

/** A chain whose blocks have these timestamps, from block 0 on. */
function aChain(timestamps: readonly bigint[]) {
  const asked: bigint[] = [];
  const headerOf = (number: bigint): Header | undefined => {
    const timestamp = timestamps[Number(number)];
    return timestamp === undefined ? undefined : { number, hash: `0x${number.toString(16)}`, timestamp };
  };
  const readHeader = async (number: bigint) => {
    asked.push(number);
    return headerOf(number);
  };
  return { asked, headerOf, chain: { chainId: 5, readHeader } };
}

const start = (
  chain: ReturnType<typeof aChain>["chain"],
  earliest: bigint | undefined,
  finalized: bigint,
) => {
  const head = { number: 9n, hash: "0x9", timestamp: 90n } as const;
  const readEarliest = async (chainId: number, at: bigint) =>
    chainId === 5 && at === 90n ? earliest : undefined;
  return findStart({ chain, store: { readEarliest } }, { head, finalized });
};

const tens = Array.from({ length: 10 }, (_, number) => BigInt(number) * 10n);

test.each([
  ["the final block if nothing is waited for", undefined, 7n],
  ["the final block if what is waited for is younger", 71n, 7n],
  ["the block before one of the same second", 70n, 6n],
  ["the newest older block", 35n, 3n],
  ["the newest older block, exactly at a block's time", 30n, 2n],
  ["the first block if none is older", 0n, 0n],
] as const)("starts at %s", async (_, earliest, expected) => {
  expect((await start(aChain(tens).chain, earliest, 7n)).number).toBe(expected);
});

test("starts at the first block of a chain that has no other", async () => {
  expect((await start(aChain([0n]).chain, 0n, 0n)).number).toBe(0n);
});

test("finds the newest block older than the earliest in few steps, for any chain", async () => {
  const anyChain = fc.array(fc.bigInt({ min: 0n, max: 40n }), { minLength: 1, maxLength: 64 });
  await fc.assert(
    fc.asyncProperty(anyChain, fc.bigInt({ min: 0n, max: 41n }), async (times, earliest) => {
      const sorted = times.toSorted((a, b) => Number(a - b));
      const { chain, asked } = aChain(sorted);
      const found = await start(chain, earliest, BigInt(sorted.length - 1));
      const older = sorted.filter((time) => time < earliest).length;
      expect(found.number).toBe(BigInt(Math.max(0, older - 1)));
      expect(asked.length).toBeLessThanOrEqual(2 + Math.ceil(Math.log2(sorted.length + 1)));
    }),
  );
});

test("stops if the node does not have a block", async () => {
  await expect(start(aChain(tens).chain, 35n, 10n)).rejects.toThrow("chain 5: block 10 is not there");
});
