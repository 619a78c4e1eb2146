/** Allowed and taken in the same breath: a spender is appointed, then called to send the money on to somebody else. */
import { asAddress, defineNode, fail, pass, short, skip } from "../../node.ts";

export default defineNode({
  title: "What is allowed is not taken at once by others",
  severity: "critical",
  needs: ["reading", "approvals", "entailment"],
  check({ reading, entailment }) {
    if (entailment.unread.length > 0)
      return skip("not_applicable", "Part of the request was not understood: it may ask for all of this.");
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
          `${short(spender)} is allowed to spend and then called to pay ${short(asAddress(drain.receiver) ?? "")}.`,
          {
            expected: "what is taken comes back to the account",
            observed: `${drain.function} to ${asAddress(drain.receiver) ?? ""}`,
            where: drain.places["receiver"] ?? drain.where,
            fix: `Take ${drain.where.call} out, or let it pay the account itself.`,
          },
        );
    }
    return pass("No allowance given here is used here for somebody else.");
  },
});
