/** A signature that lets a stranger take tokens costs nothing, shows nothing on the chain, and is used when it suits them. */
import { asAddress, defineNode, fail, pass, short, type Finding } from "../../node.ts";
import type { Effect, Intent } from "../../facts.ts";

/** What is signed may also be an order, an end of authority or something unreadable: each has its own checks. */
const elsewhere = new Set<Effect["act"]>(["revoke", "cancel", "admin", "opaque"]);
const isPermit = ({ act, terms }: Effect): boolean => terms.order !== true && !elsewhere.has(act);

/** When the signature lapses, and when what it grants does: whichever of them is said. */
const endsOf = ({ authority, deadline }: Effect): readonly bigint[] =>
  [authority?.until ?? null, deadline].filter((end) => end !== null);

/** A signature good for longer than this waits for the day it pays. */
const longest = 30n * 86_400n;

/** Whether the words give a time of their own: how long is then for the scope check to judge. */
const saysHowLong = ({ steps }: Intent): boolean => steps.some(({ deadline }) => deadline !== null);

export default defineNode({
  title: "No signed authority for a stranger",
  severity: "critical",
  needs: ["proposal", "intent", "signed", "contracts", "wordsAddresses"],
  check({ proposal: { context, now }, intent, signed, contracts, wordsAddresses }) {
    const trusted = new Set([
      ...wordsAddresses.map(({ address }) => address),
      ...context.names.values(),
      ...context.known.map(({ address }) => address),
    ]);
    for (const { authority, receiver, places, where } of signed.filter(isPermit)) {
      const party = asAddress(authority?.spender ?? receiver);
      if (party === null || trusted.has(party) || contracts.at(party).length > 0) continue;
      return fail(
        `This signature lets ${short(party)} take tokens; nobody named them and no known protocol is there.`,
        {
          expected: "a spender that was named, or a contract of a known protocol",
          observed: party,
          where: authority?.where ?? places["receiver"] ?? where,
          fix: "Do not sign it.",
        },
      );
    }
    return judgeEnd(signed.filter(isPermit), intent, now);
  },
});

/** How long: judged against 30 days, unless the words name a time of their own. */
function judgeEnd(permits: readonly Effect[], intent: Intent, now: bigint): Finding {
  const past = permits.find((permit) => permit.authority !== null && endsOf(permit).some((end) => end < now));
  if (past !== undefined)
    return fail("This signature ended before it was made.", {
      severity: "high",
      expected: "an end that is still to come",
      observed: endsOf(past).join(", "),
      where: past.places["deadline"] ?? past.where,
      fix: "Set an end that is still to come.",
    });
  const outlasts = (permit: Effect): boolean => {
    const ends = endsOf(permit);
    return ends.length === 0 || ends.some((end) => end > now + longest);
  };
  const endless = permits.find((permit) => permit.authority !== null && outlasts(permit));
  if (endless?.authority && !saysHowLong(intent))
    return fail("This signature stays good for more than 30 days.", {
      severity: "high",
      expected: "an end within 30 days, or the time the words name",
      observed: endless.authority.until === null ? "no end" : String(endless.authority.until),
      where: endless.places["deadline"] ?? endless.authority.where,
      fix: "Set an end within 30 days.",
    });
  return pass("Every signed authority is for somebody named or for a known protocol, and ends in time.");
}
