/**
 * V4 plans that change positions. The currencies of an existing position appear only where the plan settles or takes
 * them.
 */
import { atLeast, atMost, exactly, nft, unsaid, type Asset, type Party } from "../../effects.ts";
import type { Address, Hex } from "../../proposal.ts";
import type { CallView, Draft } from "../../protocol.ts";
import { assetAt, flow } from "./swap-draft.ts";
import { CONTRACT_BALANCE, readV4Plan, type V4Plan } from "./v4-plan.ts";
import { positionActions, type Change, type Found } from "./v4-position-actions.ts";

const FIRST = "the first currency of the position, which the plan does not name";
const SECOND = "the second currency of the position, which the plan does not name";

/** The pool's two currencies in its own order, where the plan names exactly two. */
const currenciesIn = (plan: V4Plan): readonly Address[] | null => {
  const named = new Set([...plan.settles, ...plan.takes, ...plan.closes].map(({ currency }) => currency));
  return named.size === 2 ? [...named].sort() : null;
};

const assetsOf = (change: Change, plan: V4Plan): readonly [Asset, Asset] => {
  const [first, second] = change.currencies ?? currenciesIn(plan) ?? [];
  return [
    first === undefined ? unsaid(FIRST) : assetAt(first),
    second === undefined ? unsaid(SECOND) : assetAt(second),
  ];
};

const payerOf = (plan: V4Plan, call: CallView): Party =>
  plan.settles.length > 0 && plan.settles.every(({ payer }) => payer === "venue") ? "venue" : call.sender;

const receiverOf = (plan: V4Plan, call: CallView): Party => {
  const receivers = new Set(plan.takes.map(({ receiver }) => receiver));
  if (plan.closes.length > 0) receivers.add(call.sender);
  const [receiver] = receivers;
  if (receivers.size !== 1 || receiver === undefined)
    throw new Error("the funds taken out go to more than one party");
  if (plan.takes.some(({ amount, bps }) => amount !== null || bps !== null)) {
    throw new Error("the funds taken out are divided in a way that cannot be followed");
  }
  return receiver;
};

/** Throws if another party takes the surplus of what the caller settles. */
const checkResidue = (plan: V4Plan, call: CallView): void => {
  const isOwn = (party: Party): boolean =>
    party === call.sender || (party !== "self" && party !== "venue" && call.isSelf(party));
  const strays = plan.takes.some(({ receiver }) => !isOwn(receiver));
  if (strays) throw new Error("another party takes the surplus of what is settled");
};

/** Throws if the plan settles or takes a currency that no changed pool has. */
const checkCurrencies = (changes: readonly Change[], { settles, takes, closes }: V4Plan): void => {
  if (changes.some(({ currencies }) => currencies === null)) return;
  const known = new Set(changes.flatMap(({ currencies }) => currencies ?? []));
  if ([...settles, ...takes, ...closes].some(({ currency }) => !known.has(currency)))
    throw new Error("the plan settles or takes a currency that is not the pool's");
};

/** Returns the larger of the position's maximum and the amount settled. */
const most = (amount: bigint, currency: Address | undefined, plan: V4Plan): bigint =>
  plan.settles
    .filter((settle) => settle.currency === currency && settle.amount !== CONTRACT_BALANCE)
    .reduce((larger, settle) => ((settle.amount ?? 0n) > larger ? (settle.amount ?? 0n) : larger), amount);

const addDraft = (change: Change, plan: V4Plan, call: CallView): Draft => {
  checkResidue(plan, call);
  const [first, second] = assetsOf(change, plan);
  const [one, other] = change.currencies ?? currenciesIn(plan) ?? [];
  return {
    act: "add_liquidity",
    gives: [
      flow(first, atMost(most(change.amounts[0], one, plan)), `${change.at}.amount0Max`),
      flow(second, atMost(most(change.amounts[1], other, plan)), `${change.at}.amount1Max`),
    ],
    payer: payerOf(plan, call),
    receiver: change.owner,
    // The liquidity is exact and the amounts are limits, so no minimum is needed.
    terms: { exactOut: true },
    choices: change.choices,
    places: { amount: `${change.at}.amount0Max`, receiver: `${change.at}.owner` },
  };
};

const removeDraft = (change: Change, plan: V4Plan, call: CallView): Draft => {
  const [first, second] = assetsOf(change, plan);
  const position =
    change.position === null ? [] : [flow(nft(call.to, change.position), exactly(1n), change.at)];
  return {
    act: change.onlyFees ? "claim" : "remove_liquidity",
    gives: change.onlyFees ? [] : position,
    gets: [
      flow(first, atLeast(change.amounts[0]), `${change.at}.amount0Min`),
      flow(second, atLeast(change.amounts[1]), `${change.at}.amount1Min`),
    ],
    receiver: receiverOf(plan, call),
    choices: change.choices,
    places: { minimum: `${change.at}.amount0Min`, receiver: plan.takes[0]?.at ?? change.at },
  };
};

export const readV4Liquidity = (
  actions: Hex,
  params: readonly Hex[],
  call: CallView,
  at: string,
): readonly Draft[] => {
  const found: Found = { changes: [], after: [] };
  const plan = readV4Plan(actions, params, call, {
    at,
    extra: (action, data, where) => {
      const reader = positionActions[action];
      reader?.read(found, data, call, where);
      return reader !== undefined;
    },
  });
  if (found.changes.length === 0 || plan.swaps.length > 0) throw new Error("the plan changes no position");
  if (found.changes.every(({ kind }) => kind === "remove") && plan.settles.length > 0)
    throw new Error("funds are paid although positions are only reduced");
  checkCurrencies(found.changes, plan);
  const changed = found.changes.map((change) =>
    change.kind === "add" ? addDraft(change, plan, call) : removeDraft(change, plan, call),
  );
  return [...changed, ...found.after];
};
