import { beforeAll, describe, expect, test } from "vitest";
import { transactionCases, wordCases } from "../test/growth-cases.ts";
import { growth, linear, toReject } from "../test/growth.ts";
import { fill } from "../test/hostile-words.ts";
import { startEngine, type RealEngine } from "../test/real-engine.ts";
import { payment } from "../test/some-requests.ts";

let real: RealEngine;
beforeAll(async () => {
  real = await startEngine();
});

const rounds = 3;
const grown = (request: (size: number) => object, size: number): Promise<number> =>
  growth({ small: toReject(real, request(size / 2)), large: toReject(real, request(size)), rounds });

describe("words cost at most in proportion to their length", () => {
  test.each(wordCases)("%s", async (_name, request, size) => {
    expect(await grown(request, size)).toBeLessThan(linear);
  });

  test("100 kB are refused at the cost of what is read of them", async () => {
    const ofSize = (size: number) =>
      toReject(real, { ...payment, human_intent: fill("send 1 ETH to bob and ", size) });
    const sizes = { small: ofSize(20_000), large: ofSize(100_000), rounds };
    expect(await growth(sizes, 1.7)).toBeLessThan(1.7);
  });
});

describe("transactions cost at most in proportion to their size", () => {
  test.each(transactionCases)("%s", async (_name, request, size) => {
    expect(await grown(request, size)).toBeLessThan(linear);
  });
});
