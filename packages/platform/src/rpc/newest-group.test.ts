import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { newestGroup } from "./index.ts";

const groupOf = (numbers: readonly number[], size: number) =>
  newestGroup(
    numbers.map((number) => ({ number: BigInt(number) })),
    size,
  )?.map(({ number }) => Number(number));

describe("the newest heads", () => {
  test.each<[readonly number[], number, readonly number[] | undefined]>([
    [[100], 1, [100]],
    [[100, 98, 97], 1, [100, 98, 97]],
    [[100, 96], 1, [100]],
    [[100, 96], 2, undefined],
    [[100, 97], 2, [100, 97]],
    [[5, 100, 99], 2, [100, 99]],
    [[1_000_000, 100, 99], 2, [100, 99]],
    [[100, 100, 5, 5], 2, [100, 100]],
    [[100], 2, undefined],
    [[], 1, undefined],
  ])("of %j for groups of %i are %j", (numbers, size, expected) => {
    expect(groupOf(numbers, size)).toEqual(expected);
  });

  test("are those of the honest nodes, whatever fewer than the required number say", () => {
    fc.assert(
      fc.property(
        fc.nat(1_000_000),
        fc.array(fc.nat(1_000_000), { maxLength: 2 }),
        fc.integer({ min: 0, max: 5 }),
        (height, lies, at) => {
          const size = lies.length + 1;
          const honest = Array.from({ length: size }, () => height);
          const heads = [...honest.slice(0, at), ...lies, ...honest.slice(at)];
          const group = groupOf(heads, size);
          expect(group).toContain(height);
          expect(group?.[size - 1]).toBeLessThanOrEqual(height);
        },
      ),
    );
  });
});
