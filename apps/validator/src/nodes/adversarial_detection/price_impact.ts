/** Compares the guaranteed return with the caller’s prices. */
import { defineNode, fail, pass, skip } from "../../node.ts";
import type { Effect, Facts } from "../../facts.ts";

const [doubtful, refused] = [0.1, 0.25];

/** Returns the share that is lost in the worst case, or null if a price is missing. */
function lossOf({ gives, gets, toChain }: Effect, usd: Facts["usd"]): number | null {
  const total = (worths: readonly (number | null)[]): number | null =>
    worths.length === 0 || worths.includes(null)
      ? null
      : worths.reduce<number>((sum, worth) => sum + (worth ?? 0), 0);
  const paid = total(gives.map(({ asset, amount }) => usd(asset, amount.most)));
  const got = total(gets.map(({ asset, amount }) => usd(asset, amount.least, toChain)));
  return paid === null || got === null || paid <= 0 ? null : 1 - got / paid;
}

export default defineNode({
  title: "Price is close to the market",
  failTitle: "Bad price",
  severity: "high",
  needs: ["swaps", "prices", "usd", "intent"],
  check({ swaps, usd, intent }) {
    const accepted = Math.max(
      0,
      ...intent.steps.map(({ slippageBps }) => Number(slippageBps?.value ?? 0n) / 10_000),
    );
    const losses = swaps.map((swap) => ({ swap, loss: lossOf(swap, usd) }));
    const bad = losses
      .filter(({ loss }) => loss !== null && loss > doubtful && loss > accepted + 0.02)
      .sort((a, b) => (b.loss ?? 0) - (a.loss ?? 0))[0];
    if (bad !== undefined) {
      const percent = Math.round((bad.loss ?? 0) * 100);
      return fail(`The swap may return ${percent} % less than the caller’s prices suggest.`, {
        expected: `at most ${Math.round(Math.max(doubtful, accepted) * 100)} % less`,
        observed: `${percent} % less`,
        where: bad.swap.places["minimum"] ?? bad.swap.where,
        severity: (bad.loss ?? 0) > refused ? "high" : "medium",
        confidence: 0.95,
        fix: "Raise the minimum to the quote minus an acceptable slippage.",
      });
    }
    if (losses.every(({ loss }) => loss === null))
      return skip("missing_context", "The caller sent no price for the exchanged assets.");
    return pass("The guaranteed return is close to the caller’s prices.", { confidence: 0.95 });
  },
});
