/**
 * No sanctioned party may take part in any leaf. A match counts regardless of the age of the list; the absence of a
 * match does not.
 */
import { defineNode, fail, pass, short, skip } from "../../node.ts";

export default defineNode({
  title: "No party is sanctioned",
  failTitle: "Sanctioned address",
  severity: "critical",
  needs: ["proposal", "reading", "sanctions"],
  required: true,
  check({ proposal, reading, sanctions }) {
    const actor = proposal.actor === null ? [] : [{ address: proposal.actor, role: "sender", where: null }];
    const hit = [...reading.parties, ...actor].find(({ address }) => sanctions.has(address));
    const list = {
      kind: "list",
      ref: sanctions.name,
      value: `${sanctions.size} entries as of ${sanctions.asOf}, ${sanctions.ageDays} days old`,
    };
    if (hit !== undefined)
      return fail(
        `${short(hit.address)} (${hit.role}) is on the list ${sanctions.name} of ${sanctions.asOf}.`,
        {
          expected: "parties that are not sanctioned",
          observed: `${hit.address}: ${sanctions.note(hit.address) ?? "listed"}`,
          where: hit.where,
          evidence: [list],
          fix: "Do not transact with this party.",
        },
      );
    if (!sanctions.fresh)
      return skip(
        "stale_data",
        `No party is on the list ${sanctions.name}, but the list is from ${sanctions.asOf}, ${sanctions.ageDays} days ago, and out of date.`,
      );
    return pass(`No party is on the list ${sanctions.name} of ${sanctions.asOf}.`, {
      confidence: 0.99,
      evidence: [list],
    });
  },
});
