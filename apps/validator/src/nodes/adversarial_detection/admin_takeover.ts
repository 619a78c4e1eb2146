/**
 * A party that controls the account needs no further signature. Changes of owners, roles, modules, guards or code are
 * never implied by another request.
 */
import { asAddress, defineNode, fail, pass } from "../../node.ts";

/** Other checks cover these. */
const elsewhere = new Set(["delegate_code", "revoke_delegation"]);

export default defineNode({
  title: "Control changes only as requested",
  failTitle: "Changes who’s in control",
  severity: "critical",
  needs: ["reading", "entailment"],
  check({ reading, entailment }) {
    const asked = new Set(
      entailment.licences.filter(({ step }) => step !== null).map(({ effect }) => effect),
    );
    for (const [index, { admin, function: name, where }] of reading.effects.entries()) {
      if (admin === null || elsewhere.has(admin.kind) || asked.has(index)) continue;
      const to = asAddress(admin.party);
      return fail(
        `This changes who controls the account or contract (${name === "" ? admin.kind : name})${to === null ? "" : `, in favour of ${to}`}, and the request does not ask for it.`,
        {
          expected: "no change of control",
          observed: `${admin.kind}${to === null ? "" : ` ${to}`}`,
          where,
          fix: `Remove ${where.call}, or request exactly this change and name the party.`,
        },
      );
    }
    return pass("Owners, roles, modules, guards and code stay the same or change as requested.");
  },
});
