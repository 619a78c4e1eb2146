/** Contracts that the operator blocks, such as mixers and unlicensed venues. */
import { defineNode, fail, pass, short, skip } from "../../node.ts";

export default defineNode({
  title: "No blocked protocol is used",
  failTitle: "Blocked protocol",
  severity: "critical",
  needs: ["reading", "blockedProtocols"],
  check({ reading, blockedProtocols }) {
    const hit = reading.parties.find(({ address }) => blockedProtocols.has(address));
    const { name, asOf, ageDays } = blockedProtocols;
    const list = { kind: "list", ref: name, value: `as of ${asOf}, ${ageDays} days old` };
    if (hit === undefined && !blockedProtocols.fresh)
      return skip(
        "stale_data",
        `No contract is on the list ${name}, but the list is from ${asOf}, ${ageDays} days ago, and out of date.`,
      );
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
