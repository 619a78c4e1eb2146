/**
 * A signature that lets a stranger take tokens costs no gas, leaves no trace on chain and can be used at any later
 * time.
 */
import { asAddress, defineNode, fail, pass, short, type Finding } from "../../node.ts";
import type { Effect, Intent } from "../../facts.ts";

/** Other checks cover signed orders, revocations and unreadable messages. */
const elsewhere = new Set<Effect["act"]>(["revoke", "cancel", "admin", "opaque"]);
const isPermit = ({ act, terms }: Effect): boolean => terms.order !== true && !elsewhere.has(act);

/** Returns the expiry of the signature and of the grant, as far as they are set. */
const endsOf = ({ authority, deadline }: Effect): readonly bigint[] =>
  [authority?.until ?? null, deadline].filter((end) => end !== null);

/** An approval that a signed transaction of a Safe makes is one like any other: only the signature can end, not the approval. */
const isOfCall = ({ authority, where }: Effect): boolean =>
  authority?.signed === false && where.call.startsWith("proposed_tx.order/");

/** A signature that is valid for longer can be used when it pays most. */
const longest = 30n * 86_400n;

/** Returns whether the request states a duration. The scope check then compares it. */
const saysHowLong = ({ steps }: Intent): boolean => steps.some(({ deadline }) => deadline !== null);

export default defineNode({
  title: "Signature gives no stranger access",
  failTitle: "Signature gives a stranger access",
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
        `This signature lets ${short(party)} take tokens. The request does not name it, and it is not a known protocol.`,
        {
          expected: "a named spender, or a contract of a known protocol",
          observed: party,
          where: authority?.where ?? places["receiver"] ?? where,
          fix: "Do not sign it.",
        },
      );
    }
    const permits = signed.filter((one) => isPermit(one) && !isOfCall(one));
    return judgeEnd(permits, intent, now);
  },
});

/** Limits the duration to 30 days, unless the request states another one. */
function judgeEnd(permits: readonly Effect[], intent: Intent, now: bigint): Finding {
  const past = permits.find(
    (permit) => permit.authority !== null && endsOf(permit).some((end) => end <= now),
  );
  if (past !== undefined)
    return fail("This signature has already expired.", {
      severity: "high",
      expected: "an expiry in the future",
      observed: endsOf(past).join(", "),
      where: past.places["deadline"] ?? past.where,
      fix: "Set an expiry in the future.",
    });
  const outlasts = (permit: Effect): boolean => {
    const ends = endsOf(permit);
    return ends.length === 0 || ends.some((end) => end > now + longest);
  };
  const endless = permits.find((permit) => permit.authority !== null && outlasts(permit));
  if (endless?.authority && !saysHowLong(intent))
    return fail("This signature is valid for more than 30 days.", {
      severity: "high",
      expected: "an expiry within 30 days, or the duration in the request",
      observed: endless.authority.until === null ? "no expiry" : String(endless.authority.until),
      where: endless.places["deadline"] ?? endless.authority.where,
      fix: "Set an expiry within 30 days.",
    });
  return pass("Every signed approval is for a named party or a known protocol and expires in time.");
}
