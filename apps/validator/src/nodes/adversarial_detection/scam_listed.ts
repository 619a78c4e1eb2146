/** Reported addresses. A match counts regardless of the age of the list. */
import { defineNode, fail, pass, short, skip } from "../../node.ts";

export default defineNode({
  title: "No party is a reported scammer",
  failTitle: "On a scam list",
  severity: "critical",
  needs: ["reading", "scams"],
  check({ reading, scams }) {
    const hit = reading.parties.find(({ address }) => scams.has(address));
    const list = {
      kind: "list",
      ref: scams.name,
      value: `${scams.size} entries as of ${scams.asOf}, ${scams.ageDays} days old`,
    };
    if (hit !== undefined)
      return fail(
        `${short(hit.address)} (${hit.role}) is on the list ${scams.name}: ${scams.note(hit.address) ?? "reported"}.`,
        {
          expected: "parties that are not reported",
          observed: hit.address,
          where: hit.where,
          evidence: [list],
          fix: "Do not transact with this address.",
        },
      );
    if (!scams.fresh)
      return skip(
        "stale_data",
        `No party is on the list ${scams.name}, but the list is from ${scams.asOf}, ${scams.ageDays} days ago, and out of date.`,
      );
    return pass(`No party is on the list ${scams.name} of ${scams.asOf}.`, {
      confidence: 0.99,
      evidence: [list],
    });
  },
});
