/** A spender is approved and called at once to send the money to a third party. */
import { asAddress, defineNode, fail, pass, short, skip } from "../../node.ts";

export default defineNode({
  title: "Approval is not used to pay a third party",
  failTitle: "Approval is used to pay someone else",
  severity: "critical",
  needs: ["reading", "approvals", "entailment"],
  check({ reading, entailment }) {
    if (entailment.unread.length > 0)
      return skip("not_applicable", "Part of the request was not understood, so it may ask for all of this.");
    const unlicensed = new Set(entailment.unlicensed.map(({ effect }) => effect));
    const misdirected = new Set(
      entailment.comparisons
        .filter(({ slot, outcome }) => slot === "recipient" && outcome === "differs")
        .flatMap(({ where }) => (where === null ? [] : [where.call])),
    );
    for (const [index, { authority }] of reading.effects.entries()) {
      const spender = asAddress(authority?.spender ?? null);
      if (spender === null) continue;
      const drain = reading.effects.find((later, at) => {
        const to = asAddress(later.receiver);
        if (at <= index || to === null || to === spender) return false;
        return later.target === spender && (unlicensed.has(at) || misdirected.has(later.where.call));
      });
      if (drain !== undefined)
        return fail(
          `${short(spender)} gets an approval and is then called to pay ${short(asAddress(drain.receiver) ?? "")}.`,
          {
            expected: "the account itself is paid",
            observed: `${drain.function} to ${asAddress(drain.receiver) ?? ""}`,
            where: drain.places["receiver"] ?? drain.where,
            fix: `Remove ${drain.where.call}, or have it pay the account itself.`,
          },
        );
    }
    return pass("No approval is used in the same transaction to pay a third party.");
  },
});
