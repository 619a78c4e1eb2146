import { expect, test } from "vitest";
import { makeRandom } from "../testing/random.ts";
import { listRounds, type Fault } from "./faults.ts";

const aFault = (name: string): Fault => ({ name, kill: async () => undefined, heal: async () => undefined });
const namesOf = (rounds: readonly (readonly Fault[])[]): readonly string[] =>
  rounds.map((round) =>
    round
      .map(({ name }) => name)
      .toSorted()
      .join(" + "),
  );
const faults = ["a", "b", "c", "d"].map(aFault);

test("each part is killed alone, then each two at once", () => {
  const names = namesOf(listRounds(faults, makeRandom(1)));
  expect(names.slice(0, 4).toSorted()).toEqual(["a", "b", "c", "d"]);
  expect(names.slice(4).toSorted()).toEqual(["a + b", "a + c", "a + d", "b + c", "b + d", "c + d"]);
});

test("the order follows from the seed", () => {
  const orderOf = (seed: number): string => namesOf(listRounds(faults, makeRandom(seed))).join(", ");
  expect(orderOf(7)).toBe(orderOf(7));
  expect(new Set([1, 2, 3, 4, 5].map(orderOf)).size).toBeGreaterThan(1);
});
