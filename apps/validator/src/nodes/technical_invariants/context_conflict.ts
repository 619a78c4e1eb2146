/**
 * Values that the input states twice must agree. A hint that the transaction contradicts was meant to deceive a reader.
 */
import { defineNode, fail, judgeDefects, quoted } from "../../node.ts";

export default defineNode({
  title: "Input does not contradict itself",
  failTitle: "Input contradicts itself",
  severity: "high",
  needs: ["proposal", "reading", "contracts", "hint"],
  check({ proposal, reading, contracts, hint }) {
    const found = judgeDefects(proposal.defects, {
      check: "context_conflict",
      ok: "The input agrees with the transaction.",
      fix: "Send the same sender and chain everywhere.",
    });
    const { venue } = hint;
    if (found.status === "FAIL" || venue === null) return found;
    const touched = [
      ...reading.effects.flatMap(({ protocol, venue: bound }) =>
        bound === null ? [protocol] : [bound, protocol],
      ),
      ...reading.parties.flatMap(({ address }) => contracts.at(address).map(({ protocol }) => protocol)),
    ];
    if (touched.some((protocol) => contracts.satisfies(venue, protocol))) return found;
    return fail(
      `The caller says the protocol is ${quoted(hint.said)}, but the transaction does not use it.`,
      {
        expected: quoted(hint.said),
        observed: [...new Set(touched)].join(", "),
        fix: "Remove proposed_tx.protocol, or name the protocol that is called.",
      },
    );
  },
});
