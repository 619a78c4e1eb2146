/** Urgency, prizes and “verify your wallet”, together with an approval or a payment: the script of a scam. */
import { defineNode, fail, pass, quoted } from "../../node.ts";

const phrases = [
  "urgent",
  "immediately or",
  "act now",
  "account will be suspended",
  "account will be locked",
  "account is at risk",
  "wallet is at risk",
  "wallet has been compromised",
  "verify your wallet",
  "verify my wallet",
  "validate your wallet",
  "validate my wallet",
  "sync your wallet",
  "synchronize wallet",
  "claim your airdrop",
  "claim my airdrop",
  "claim your reward",
  "claim the airdrop",
  "free mint",
  "double your",
  "giveaway",
  "support team asked",
  "support agent",
  "security team",
  "to unlock my account",
  "to unlock your account",
  "limited time",
  "last chance",
];

const risky = new Set(["approve", "transfer", "admin"]);

export default defineNode({
  title: "No pressure or prize in the request",
  failTitle: "Sounds like a scam",
  severity: "medium",
  needs: ["proposal", "moves"],
  check({ proposal: { words }, moves }) {
    if (!moves.some(({ act, authority }) => risky.has(act) || authority !== null))
      return pass("The transaction contains nothing that such scams ask for.", { confidence: 0.8 });
    const text = words.toLowerCase();
    const found = phrases.find((phrase) => text.includes(phrase));
    if (found === undefined)
      return pass("The request contains no pressure and no prize.", { confidence: 0.8 });
    const at = text.indexOf(found);
    return fail(
      `The request sounds like a scam (${quoted(found)}) and comes with an approval or a payment.`,
      {
        expected: "a request without pressure or prizes",
        observed: quoted(found),
        words: [at, at + found.length],
        confidence: 0.7,
        fix: "Before signing, confirm the request over another channel.",
      },
    );
  },
});
