import { beforeAll, expect, test } from "vitest";
import { growth, linear, toReject } from "../test/growth.ts";
import { fill, hostilePieces } from "../test/hostile-words.ts";
import { startEngine, type RealEngine } from "../test/real-engine.ts";
import { payment } from "../test/some-requests.ts";

let real: RealEngine;
beforeAll(async () => {
  real = await startEngine();
});

test.each(hostilePieces.map((piece) => [JSON.stringify(piece), piece] as const))(
  "words made of %s cost at most in proportion to their length, and 100 kB of them no more than what is read",
  async (_shown, piece) => {
    const ofSize = (size: number) => toReject(real, { ...payment, human_intent: fill(piece, size) });
    const twice = { small: ofSize(10_000), large: ofSize(20_000), rounds: 5 };
    expect(await growth(twice)).toBeLessThan(linear);
    const beyond = { small: ofSize(20_000), large: ofSize(100_000), rounds: 5 };
    expect(await growth(beyond, 1.7)).toBeLessThan(1.7);
  },
);
