/** A trade that can be executed much later is executed after the price has moved. */
import { defineNode, fail, pass, type Finding } from "../../node.ts";
import type { Effect } from "../../facts.ts";

type Clock = { readonly now: bigint; readonly toldNow: boolean };

const seenAt = ({ deadline, places, where }: Effect, { toldNow }: Clock) => ({
  ...{ observed: String(deadline), where: places["deadline"] ?? where },
  // Without the caller’s clock, ours may be the wrong one.
  confidence: toldNow ? 1 : 0.7,
});

/** An order or a payment that is signed now and executed by someone else later. */
const isOrder = ({ terms }: Effect): boolean => terms.order === true;

function judgePast(effect: Effect, left: bigint, clock: Clock): Finding | null {
  const seen = { ...seenAt(effect, clock), expected: `later than ${clock.now.toString()}` };
  const ago = `${(-left).toString()} seconds ago`;
  // A signature is used after it was given, so its last second is too late, by any clock.
  if (isOrder(effect))
    return left > 0n
      ? null
      : fail(`The signature expired ${ago}, so it cannot be used.`, {
          ...seen,
          fix: "Set an expiry a few minutes from now.",
          severity: "high",
        });
  if (left >= 0n) return null;
  return fail(`The deadline passed ${ago}, so the transaction would fail.`, {
    ...seen,
    fix: "Set a deadline a few minutes from now.",
    severity: clock.toldNow ? "high" : "medium",
  });
}

const tooLong = (effect: Effect, left: bigint, most: bigint, clock: Clock): Finding =>
  fail(`This stays valid for ${days(left)}, so it can be executed at a worse price.`, {
    ...seenAt(effect, clock),
    expected: `at most ${most.toString()} seconds from now`,
    fix: "Set a deadline a few minutes from now.",
    severity: left > most * 10n ? "high" : "medium",
  });

export default defineNode({
  title: "Deadline is reasonable",
  failTitle: "Unsafe deadline",
  severity: "medium",
  needs: ["proposal", "intent", "market", "policy", "toldNow"],
  check({ proposal: { now }, intent, market, policy, toldNow }) {
    const clock = { now, toldNow };
    // A requested deadline is compared with the request instead.
    const isSaid = intent.steps.some(({ deadline }) => deadline !== null);
    for (const effect of market) {
      if (effect.deadline === null) continue;
      const left = effect.deadline - now;
      const past = judgePast(effect, left, clock);
      if (past !== null) return past;
      const most = isOrder(effect) ? policy.maxOrderSeconds : policy.maxSwapSeconds;
      if (left > most && !isSaid) return tooLong(effect, left, most, clock);
    }
    return pass("Every trade has a reasonable deadline or none of its own.");
  },
});

const days = (seconds: bigint): string =>
  seconds > 3_153_600_000n ? "more than a hundred years" : `${(seconds / 86_400n).toString()} days`;
