import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { systemClock } from "@countersign/platform/clock";
import { loadConfig } from "@countersign/platform/config";
import { Config } from "../config.ts";
import { readSnapshot } from "../lists/index.ts";
import { DescribeRequest, parseLossless, ValidateRequest } from "../request/index.ts";
import { fill } from "../../test/hostile-words.ts";
import { payment } from "../../test/some-requests.ts";
import { aRequest, aState } from "../../test/state.ts";
import { makeChecker, type Checker } from "./checker.ts";
import { aLog } from "../../test/validate.ts";

// Loading an engine takes seconds of CPU time, and minutes where others use the machine.
const patient = 240_000;

const made: Checker[] = [];
afterAll(() => Promise.all(made.map((checker) => checker.close())));

const { log, lines } = aLog();
const shipped = readSnapshot(null, { now: BigInt(Math.floor(Date.now() / 1000)), keys: [] });
const lists = () => shipped;
const startChecker = async (given: Record<string, string>): Promise<Checker> => {
  const config = loadConfig(Config, { VALIDATE_WORKERS: "1", ...given });
  const checker = makeChecker({ config, version: "test", clock: systemClock, log, semantic: null, lists });
  made.push(checker);
  await checker.start();
  return checker;
};

const read = (text: string): ValidateRequest => {
  const parsed = parseLossless(text);
  return ValidateRequest.parse("value" in parsed ? parsed.value : undefined);
};
const cheap = read(JSON.stringify(payment));
const { human_intent: _, ...transaction } = cheap;
const toDescribe = DescribeRequest.parse(transaction);
const expensive = read(
  JSON.stringify({
    ...payment,
    human_intent: fill("send 1 ETH to bob and ", 20_000),
    preferences: { slippage_bps: 50 },
    return_prompts: true,
  }),
);

describe("with an ample budget", () => {
  let checker: Checker;
  beforeAll(async () => {
    checker = await startChecker({ VALIDATE_CPU_MS: "60000" });
  }, patient);

  test("keeps every digit of a number on its way to a worker", async () => {
    const digits = `"${payment.proposed_tx.value}"`;
    const asked = (value: string) =>
      checker.check(read(JSON.stringify(payment).replace(digits, value)), "ordinary");
    expect(await asked("100000000000000000")).toMatchObject({ decision: "PASS" });
    expect((await asked("100000000000000001")).reason).toContain("0.100000000000000001 ETH");
    // Written in a way that an integer is not: refused, and not taken for something else.
    expect(await asked("1e17")).toMatchObject({
      decision: "REJECT",
      primary_failure_node: "technical_invariants.value_encoding",
    });
  });

  test("describes a transaction", async () => {
    expect((await checker.describe(toDescribe)).request).toMatch(/^Send 0\.1 ETH to 0x/);
  });
  test("executes a state in a thread of its own, and not for anonymous callers", async () => {
    const request = read(JSON.stringify(aRequest(await aState())));
    expect(await checker.check(request, "ordinary")).toMatchObject({
      decision: "PASS",
      context: { state: { status: "proven" }, simulation: { reverted: null } },
    });
    expect(await checker.check(request, "public")).toMatchObject({
      decision: "REJECT",
      reason: "This route does not simulate, so the state was not used.",
      assessment: { kind: "not_checked" },
    });
  });

  test("answers ordinary requests while public ones fill their pool", async () => {
    let answered = 0;
    const flood = Array.from({ length: 9 }, async () => {
      await checker.check(expensive, "public");
      answered += 1;
    });
    expect(checker.pools.public.waiting()).toBe(8);
    for (let round = 0; round < 5; round += 1)
      expect(await checker.check(cheap, "ordinary")).toMatchObject({ decision: "PASS" });
    expect(answered).toBeLessThan(9);
    // Where others keep the CPU busy, some of them may have waited too long.
    await Promise.allSettled(flood);
    expect(answered).toBeGreaterThan(0);
  });
});

describe("with a state required", () => {
  test(
    "leaves every verdict without one open, except for anonymous callers",
    { timeout: patient },
    async () => {
      const checker = await startChecker({ VALIDATE_CPU_MS: "60000", REQUIRE_STATE: "true" });
      expect(await checker.check(cheap, "ordinary")).toMatchObject({
        decision: "REJECT",
        reason: "The request has no state of the chain, and the operator requires one.",
        assessment: { kind: "not_checked", missing: [{ what: "state" }] },
      });
      expect(await checker.check(cheap, "public")).toMatchObject({ decision: "PASS" });
      const request = read(JSON.stringify(aRequest(await aState())));
      expect(await checker.check(request, "ordinary")).toMatchObject({ decision: "PASS" });
    },
  );
});

describe("with a budget of a millisecond", () => {
  let checker: Checker;
  beforeAll(async () => {
    checker = await startChecker({ VALIDATE_CPU_MS: "1" });
  }, patient);

  test(
    "stops an expensive check, answers with a whole verdict, and checks the next request",
    { timeout: patient },
    async () => {
      const verdict = await checker.check(expensive, "ordinary");
      expect(verdict).toMatchObject({
        decision: "REJECT",
        reason: "The check took too long and was stopped, so nothing was verified.",
        assessment: { kind: "not_checked", missing: [{ what: "time" }] },
        context: { preferences_ignored: { slippage_bps: 50 }, prompts: [] },
      });
      expect(Object.keys(verdict.results).length).toBe(checker.about()?.checks);
      expect(verdict.context["duration_ms"]).toBeGreaterThan(0);
      expect([checker.overBudget("ordinary"), checker.overBudget("public")]).toEqual([1, 0]);
      expect(lines().at(-1)).toMatchObject({ msg: "check exceeded its budget", step: "ordinary" });
      const isReplaced = () => {
        expect(checker.pools.ordinary.threads()).toBe(1);
      };
      await vi.waitFor(isReplaced, { timeout: patient });
      expect(await checker.check(expensive, "ordinary")).toMatchObject({ decision: "REJECT" });
    },
  );

  test("stops an expensive description and says so", { timeout: patient }, async () => {
    const transactions = Array.from({ length: 250 }, () => payment.proposed_tx);
    const large = DescribeRequest.parse({ ...transaction, proposed_tx: { transactions } });
    expect(await checker.describe(large)).toEqual({
      request: null,
      why: "The transaction is too large to describe within the limit of one request.",
      steps: [],
    });
    expect(checker.overBudget("public")).toBe(1);
    expect(lines().at(-1)).toMatchObject({ msg: "description exceeded its budget", step: "public" });
  });
});

test("describes nothing before the workers start", async () => {
  const config = loadConfig(Config, {});
  const idle = makeChecker({ config, version: "test", clock: systemClock, log, semantic: null, lists });
  await expect(idle.describe(toDescribe)).rejects.toThrow("the workers were not started");
  await idle.close();
});
