import { sizeOf } from "@countersign/tools/testing";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { account, randomRule, randomWorld } from "../../../test/policies/random-rules.ts";
import { loadCedar, type Cedar } from "../cedar.ts";
import { groundOf } from "./find.ts";
import { loadInvariantSchema, loadRule, schemaOfInvariants } from "./replay.ts";
import { matcherOf } from "./rule-matcher.ts";
import { datetime, decimal, duration, EvaluationFailed, NotSupported, unknown } from "./values.ts";
import { facts, seenByInvariant, type Ground, type Partly } from "./world.ts";

let cedar: Cedar;
let ground: Ground;
beforeAll(async () => {
  cedar = await loadCedar();
  loadInvariantSchema(cedar);
  ground = groundOf(cedar, account);
});

const jsonOf = (text: string) => {
  const read = cedar.policyToJson(text);
  if (read.type !== "success") throw new Error(`${text}: ${read.errors[0]?.message ?? ""}`);
  return read.json;
};

const worlds = fc.array(randomWorld, { minLength: 6, maxLength: 6 });
// Few random rules fail in Cedar: of 40, sometimes none.
const numRuns = sizeOf({ part: 250, all: 3_000 });

describe("random rules about random requests", () => {
  test("the evaluator returns what Cedar returns, and fails where Cedar fails", () => {
    const seen = { true: 0, false: 0, failed: 0 };
    fc.assert(
      fc.property(randomRule, worlds, (text, all) => {
        const matches = matcherOf(jsonOf(text));
        const inCedar = loadRule(cedar, text, schemaOfInvariants);
        for (const request of all.flatMap((world) => seenByInvariant(ground, world))) {
          const expected = inCedar(request);
          seen[`${expected}`] += 1;
          expect(matches(request)).toBe(expected);
        }
      }),
      { numRuns },
    );
    // Otherwise the comparison would say little.
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(numRuns / 20);
  });

  test("a result without some facts is the result with them, or Cedar fails", () => {
    let decided = 0;
    fc.assert(
      fc.property(randomRule, worlds, fc.subarray([...facts]), (text, all, hidden) => {
        const matches = matcherOf(jsonOf(text));
        for (const world of all) {
          const partly: Partly = Object.fromEntries(
            Object.entries(world).filter(([fact]) => !hidden.some((one) => one === fact)),
          );
          const complete = seenByInvariant(ground, world).map(matches);
          for (const [index, early] of seenByInvariant(ground, partly).map(matches).entries()) {
            if (early === unknown) continue;
            decided += 1;
            expect([early, "failed"]).toContain(complete[index]);
          }
        }
      }),
      { numRuns },
    );
    expect(decided).toBeGreaterThan(numRuns / 3);
  });
});

describe("extension types", () => {
  test.each(["1", "1.", ".5", "1.00001", "1e3", "922337203685477.5808"])("%s is not a decimal", (text) => {
    expect(() => decimal(text)).toThrow(EvaluationFailed);
  });
  test.each(["2026-13-01", "2026-01-06T12:00", "06.01.2026", "2026-01-06T12:00:00+01:00"])(
    "%s is not a datetime",
    (text) => {
      expect(() => datetime(text)).toThrow(EvaluationFailed);
    },
  );
  test.each(["", "-", "1", "1h1d", "1.5h"])("%s is not a duration", (text) => {
    expect(() => duration(text)).toThrow(EvaluationFailed);
  });
  test("an offset and a negative duration", () => {
    expect(datetime("2026-01-06T17:30:00+0530").n).toBe(BigInt(Date.parse("2026-01-06T12:00:00Z")));
    expect(duration("-1d2h3m4s5ms").n).toBe(-93_784_005n);
  });
});

test("names a part of the language that it does not evaluate", () => {
  const rule = (when: string) => jsonOf(`@id("a")\nforbid (principal, action, resource) when { ${when} };`);
  expect(() => matcherOf(rule('ip("10.0.0.1").isLoopback()'))).toThrow(NotSupported);
  expect(() => matcherOf(rule("context.chain < 9007199254740993"))).toThrow("numbers above 2^53-1");
});
