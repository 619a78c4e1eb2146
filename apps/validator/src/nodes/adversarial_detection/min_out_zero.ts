/** A trade that accepts any return will get nothing. */
import { defineNode, fail, pass } from "../../node.ts";
import type { Effect, Facts, Flow } from "../../facts.ts";

const traded = new Set(["swap", "remove_liquidity", "bridge"]);
const worst = 0.5;

const fungible = (flows: readonly Flow[]): readonly Flow[] =>
  flows.filter(({ asset }) => asset.kind !== "nft");
const isNothing = ({ amount }: Flow): boolean => amount.least <= 1n;

/** Liquidity states its minimum either as shares to receive or as the least amount to take. */
const isOpenEnded = ({ gives, gets }: Effect): boolean => {
  if (gets.length > 0) return fungible(gets).length > 0 && fungible(gets).every(isNothing);
  const open = fungible(gives).filter(({ amount }) => amount.most > 0n);
  return open.length > 1 && open.every(({ amount }) => amount.least === 0n && amount.everything !== true);
};

function hasNoFloor(effect: Effect): boolean {
  const { act, gets, places, terms } = effect;
  if (terms.exactOut === true) return false;
  if (act === "add_liquidity") return isOpenEnded(effect);
  const isTraded = traded.has(act) || places["minimum"] !== undefined;
  if (!isTraded || effect.gives.length === 0) return false;
  if (gets.length === 0) return act === "swap";
  return fungible(gets).length > 0 && fungible(gets).every(isNothing);
}

/** The guaranteed return is worth less than half of what is given. */
function isAbsurd({ act, gives, gets, toChain }: Effect, usd: Facts["usd"]): boolean {
  if (act !== "swap") return false;
  const [given] = gives;
  const [got] = gets;
  if (given === undefined || got === undefined || gives.length + gets.length !== 2) return false;
  const [paid, back] = [usd(given.asset, given.amount.most), usd(got.asset, got.amount.least, toChain)];
  return paid !== null && back !== null && paid > 0 && back / paid < worst;
}

export default defineNode({
  title: "Minimum return is set",
  failTitle: "No minimum return",
  severity: "high",
  needs: ["moves", "usd"],
  check({ moves, usd }) {
    const open = moves.find((effect) => hasNoFloor(effect) || isAbsurd(effect, usd));
    if (open === undefined) return pass("Every trade sets a minimum return.");
    const least = open.gets[0]?.amount.least ?? 0n;
    return fail(
      `${open.function === "" ? open.act : open.function} accepts as little as ${least.toString()} base units in return. A sandwich attack could take the rest.`,
      {
        expected: "a minimum close to the quote",
        observed: least.toString(),
        where: open.places["minimum"] ?? open.gets[0]?.where ?? open.where,
        fix: "Set the minimum to the quote minus an acceptable slippage.",
      },
    );
  },
});
