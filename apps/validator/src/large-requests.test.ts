import { beforeAll, describe, expect, test } from "vitest";
import { transactionCases, wordCases } from "../test/growth-cases.ts";
import { startEngine, type RealEngine } from "../test/real-engine.ts";

let real: RealEngine;
beforeAll(async () => {
  real = await startEngine();
});

// A fraction of the full size, once. linear-cases.soak.test.ts measures how the cost grows up to the full size.
const part = 8;

describe("a request that is repeated to a large size is rejected, and breaks no check", () => {
  test.each([...wordCases, ...transactionCases])("%s", async (_name, request, size) => {
    real.takeLines();
    const verdict = await real.ask(JSON.stringify(request(Math.ceil(size / part))));
    expect(verdict?.decision).toBe("REJECT");
    expect(real.takeLines()).toEqual([]);
  });
});
