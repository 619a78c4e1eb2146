import { describe, expect, test } from "vitest";
import { startEngine } from "../../test/real-engine.ts";
import { auditFiles, outcomeOf, readPairs, requestOf } from "../../test/audit.ts";

const { ask } = await startEngine();

describe.each(auditFiles())("audit: %s", (file) => {
  test.each(readPairs(file))("$class: $name", async (pair) => {
    const verdict = await ask(JSON.stringify(requestOf(pair)));
    expect(verdict).not.toBeNull();
    if (verdict === null) return;
    expect(outcomeOf(verdict), verdict.reason).toBeOneOf([...pair.expect]);
    expect(verdict.decision).toBe(pair.expect.includes("entailed") ? "PASS" : "REJECT");
  });
});
