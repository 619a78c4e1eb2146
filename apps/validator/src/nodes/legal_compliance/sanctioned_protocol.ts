/** Contracts that the operator blocks, such as mixers and unlicensed venues. */
import { defineNode, fail, pass, short } from "../../node.ts";

export default defineNode({
  title: "No blocked protocol is used",
  failTitle: "Blocked protocol",
  severity: "critical",
  needs: ["reading", "blockedProtocols"],
  check({ reading, blockedProtocols }) {
    const hit = reading.parties.find(({ address }) => blockedProtocols.has(address));
    const list = { kind: "list", ref: blockedProtocols.name, value: `as of ${blockedProtocols.asOf}` };
    if (hit === undefined)
      return pass("The transaction uses no contract on the operator’s list.", { evidence: [list] });
    return fail(
      `${short(hit.address)} is blocked by the operator: ${blockedProtocols.note(hit.address) ?? "listed"}.`,
      {
        expected: "contracts that the operator allows",
        observed: hit.address,
        where: hit.where,
        evidence: [list],
        fix: "Use another venue.",
      },
    );
  },
});
