/** The same thing said in two places must be the same. A hint that the bytes contradict was put there for a reader. */
import { defineNode, fail, judgeDefects, quoted } from "../../node.ts";

export default defineNode({
  title: "The request does not contradict itself",
  severity: "high",
  needs: ["proposal", "reading", "contracts", "hint"],
  check({ proposal, reading, contracts, hint }) {
    const found = judgeDefects(proposal.defects, {
      check: "context_conflict",
      ok: "What the request says of itself agrees with its bytes.",
      fix: "Send one sender and one chain, the same wherever they stand.",
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
    return fail(`The caller says the protocol is ${quoted(hint.said)}; the bytes touch nothing of it.`, {
      expected: quoted(hint.said),
      observed: [...new Set(touched)].join(", "),
      fix: "Leave proposed_tx.protocol out, or name the protocol that is called.",
    });
  },
});
