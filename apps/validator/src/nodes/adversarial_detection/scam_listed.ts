/** Addresses that others have reported. A hit counts however old the list is. */
import { defineNode, fail, pass, short, skip } from "../../node.ts";

export default defineNode({
  title: "Nobody involved is a known scammer",
  severity: "critical",
  needs: ["reading", "scams"],
  check({ reading, scams }) {
    const hit = reading.parties.find(({ address }) => scams.has(address));
    const list = { kind: "list", ref: scams.name, value: `${scams.size} entries as of ${scams.asOf}` };
    if (hit !== undefined)
      return fail(
        `${short(hit.address)} (${hit.role}) is on the list ${scams.name}: ${scams.note(hit.address) ?? "reported"}.`,
        {
          expected: "parties nobody has reported",
          observed: hit.address,
          where: hit.where,
          evidence: [list],
          fix: "Do not deal with this address.",
        },
      );
    if (!scams.fresh)
      return skip(
        "stale_data",
        `Nobody is on the list ${scams.name}, but it is of ${scams.asOf} and too old to rely on.`,
      );
    return pass(`Nobody involved is on the list ${scams.name} of ${scams.asOf}.`, {
      confidence: 0.99,
      evidence: [list],
    });
  },
});
