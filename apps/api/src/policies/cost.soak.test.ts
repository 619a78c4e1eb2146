// Measures the decision of a policy. Prints the figures of docs/measurements.md.
import { expect, test } from "vitest";
import { anEffect } from "../../test/mandates.ts";
import { harmlessRules } from "../../test/policies.ts";
import { readMoves } from "../mandates/index.ts";
import { loadCedar } from "./cedar.ts";
import { decide } from "./decide.ts";
import { parsePolicy } from "./store/judge.ts";

test("a policy of 1, 10 and 100 rules", async () => {
  const cedar = await loadCedar();
  const me = `0x${"ea".repeat(20)}`;
  const moves = readMoves([anEffect()], { chainId: 1, value: 0n, to: `0x${"c0".repeat(20)}`, own: [me] });
  const facts = {
    ...{ account: me, agent: "key:1", chainId: 1, dayCount: 1, isSigned: false, isSignature: false },
    ...{ at: new Date("2026-11-17T10:00:00Z"), timeZone: "UTC", known: new Set<string>(), moves },
  };
  const table: Record<string, object> = {};
  for (const rules of [1, 10, 100]) {
    const policy = parsePolicy(cedar, { digest: `0x${rules}`, text: harmlessRules(rules) });
    const times = Array.from({ length: 300 }, () => {
      const began = process.cpuUsage();
      expect(decide(cedar, policy, facts).outcome).toBe("allow");
      const { user, system } = process.cpuUsage(began);
      return user + system;
    }).sort((one, other) => one - other);
    table[`${rules} rules`] = { "median µs of CPU": times[150], "95 % µs": times[285] };
  }
  console.table(table);
});
