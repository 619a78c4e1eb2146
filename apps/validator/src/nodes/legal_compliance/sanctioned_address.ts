/** Nobody on a sanctions list may have a part in it, in whatever leaf. A hit counts however old the list is; a miss does not. */
import { defineNode, fail, pass, short, skip } from "../../node.ts";

export default defineNode({
  title: "Nobody involved is sanctioned",
  severity: "critical",
  needs: ["proposal", "reading", "sanctions"],
  required: true,
  check({ proposal, reading, sanctions }) {
    const actor = proposal.actor === null ? [] : [{ address: proposal.actor, role: "sender", where: null }];
    const hit = [...reading.parties, ...actor].find(({ address }) => sanctions.has(address));
    const list = {
      kind: "list",
      ref: sanctions.name,
      value: `${sanctions.size} entries as of ${sanctions.asOf}`,
    };
    if (hit !== undefined)
      return fail(
        `${short(hit.address)} (${hit.role}) is on the list ${sanctions.name} of ${sanctions.asOf}.`,
        {
          expected: "parties that are not sanctioned",
          observed: `${hit.address}: ${sanctions.note(hit.address) ?? "listed"}`,
          where: hit.where,
          evidence: [list],
          fix: "Do not deal with this party.",
        },
      );
    if (!sanctions.fresh)
      return skip(
        "stale_data",
        `Nobody is on the list ${sanctions.name}, but it is of ${sanctions.asOf} and too old to rely on.`,
      );
    return pass(`Nobody involved is on the list ${sanctions.name} of ${sanctions.asOf}.`, {
      confidence: 0.99,
      evidence: [list],
    });
  },
});
