/** Owners, roles, modules, guards, upgrades: whoever controls the account later needs no signature. Never implied by other words. */
import { asAddress, defineNode, fail, pass } from "../../node.ts";

/** These have a check of their own. */
const elsewhere = new Set(["delegate_code", "revoke_delegation"]);

export default defineNode({
  title: "Control changes only when asked to",
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
        `This changes who controls the account or contract (${name === "" ? admin.kind : name})${to === null ? "" : `, in favour of ${to}`}; nobody asked for it.`,
        {
          expected: "no change of control",
          observed: `${admin.kind}${to === null ? "" : ` ${to}`}`,
          where,
          fix: `Take ${where.call} out, or ask for exactly this change and name the party.`,
        },
      );
    }
    return pass("No owner, role, module, guard or code changes without being asked for.");
  },
});
