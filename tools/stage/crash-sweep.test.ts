import fc from "fast-check";
import { expect, test } from "vitest";
import { inStretches } from "./crash-sweep.ts";

// A shorter way has no places that lie far enough apart.
const length = fc.integer({ min: 16, max: 80 });
const inARow = fc.integer({ min: 1, max: 4 });
const onTheWay = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

test("every place once, in stretches, and back by more places than a step has when it is done again", () => {
  fc.assert(
    fc.property(length, inARow, (count, size) => {
      // Whole stretches: one that is cut short at the end is nearer to the one before it.
      const whole = count - (count % size);
      const order = inStretches(onTheWay(whole), size);
      expect(order.toSorted((one, other) => one - other)).toEqual(onTheWay(whole));
      for (const [index, place] of order.slice(1).entries()) {
        const stepBack = (order[index] ?? 0) - place;
        if (place % size !== 0) expect(stepBack).toBe(-1);
        else expect(stepBack < 0 || stepBack >= 6).toBe(true);
      }
    }),
  );
});
