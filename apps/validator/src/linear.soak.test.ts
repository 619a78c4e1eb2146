import { beforeAll, expect, test } from "vitest";
import { growth, linear } from "./testing/growth.ts";
import { fill, hostilePieces } from "./testing/hostile-words.ts";
import { startEngine, type RealEngine } from "./testing/real-engine.ts";
import { payment } from "./testing/some-requests.ts";

let real: RealEngine;
beforeAll(async () => {
  real = await startEngine();
});

test.each(hostilePieces.map((piece) => [JSON.stringify(piece), piece] as const))(
  "words made of %s cost at most in proportion to their length, and 100 kB of them no more than what is read",
  async (_shown, piece) => {
    const request = (size: number): object => ({ ...payment, human_intent: fill(piece, size) });
    expect(await growth(real, { small: request(10_000), large: request(20_000), rounds: 5 })).toBeLessThan(
      linear,
    );
    expect(await growth(real, { small: request(20_000), large: request(100_000), rounds: 5 })).toBeLessThan(
      1.7,
    );
  },
);
