/** An order that gives much and asks for little: the first taker profits. */
import { asAddress, defineNode, fail, pass, short } from "../../node.ts";
import type { Effect, Facts } from "../../facts.ts";

const worst = 0.5;

/** Returns what is given and received in dollars, if every price is known. */
function ratioOf({ gives, gets, toChain }: Effect, usd: Facts["usd"]): number | null {
  const paid = gives.map(({ asset, amount }) => usd(asset, amount.most));
  const got = gets.map(({ asset, amount }) => usd(asset, amount.least, toChain));
  if (paid.length === 0 || [...paid, ...got].includes(null)) return null;
  const sum = (all: readonly (number | null)[]): number =>
    all.reduce<number>((total, one) => total + (one ?? 0), 0);
  return sum(paid) === 0 ? null : sum(got) / sum(paid);
}

/** A signed payment asks for nothing in return and is checked as a payment. */
const isExchange = ({ act, terms }: Effect): boolean => terms.order === true && act !== "transfer";

function faultOf(order: Effect, usd: Facts["usd"]): string | null {
  const { gives, gets, receiver } = order;
  if (gives.length === 0) return null;
  if (gets.every(({ asset, amount }) => asset.kind !== "nft" && amount.least <= 1n))
    return "it asks for nothing in return";
  const to = asAddress(receiver);
  if (to !== null && order.act === "sell_nft") return `its proceeds go to ${short(to)}`;
  const ratio = ratioOf(order, usd);
  return ratio !== null && ratio < worst
    ? `it returns ${Math.round(ratio * 100)} % of what it gives, at the caller’s prices`
    : null;
}

export default defineNode({
  title: "Order asks for a fair return",
  failTitle: "Order gives funds away",
  severity: "critical",
  needs: ["signed", "usd"],
  check({ signed, usd }) {
    for (const order of signed.filter(isExchange)) {
      const fault = faultOf(order, usd);
      if (fault !== null)
        return fail(`This order gives funds away: ${fault}.`, {
          expected: "a fair return to the account itself",
          observed: fault,
          where: order.places["minimum"] ?? order.where,
          fix: "Ask for a fair amount, paid to the account itself.",
        });
    }
    return pass("Every order asks for something in return.");
  },
});
