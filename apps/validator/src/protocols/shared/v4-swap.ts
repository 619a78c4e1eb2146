/** Reads a V4 plan that only swaps as one exchange. */
import { blob } from "../../bytes/openings.ts";
import {
  atLeast,
  everything,
  exactly,
  unknownAmount,
  MAX_UINT,
  type Amount,
  type Party,
} from "../../effects.ts";
import type { Address, Hex } from "../../proposal.ts";
import type { CallView, Draft, DraftFlow } from "../../protocol.ts";
import { feeds, openedBy } from "../../uses.ts";
import { assetAt, flow, forwardAll, swapFaults, ZERO_ADDRESS } from "./swap-draft.ts";
import {
  CONTRACT_BALANCE,
  planOpenings,
  readV4Plan,
  type V4Plan,
  type V4Settle,
  type V4Swap,
  type V4Take,
} from "./v4-plan.ts";

const BPS = 10_000n;

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((a, b) => a + b, 0n);
const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** The amount of a currency that the swaps take, if the settlement leaves it to them. */
const neededBy = (swaps: readonly V4Swap[], currency: Address): Amount => {
  const spending = swaps.filter(({ give }) => give === currency);
  const fixed = sum(spending.filter(({ exactOut }) => !exactOut).map(({ amount }) => amount));
  const limited = sum(spending.filter(({ exactOut }) => exactOut).map(({ limit }) => limit));
  if (fixed + limited === 0n) return unknownAmount;
  return { least: fixed, most: smaller(fixed + limited, MAX_UINT) };
};

const settled = (settle: V4Settle, swaps: readonly V4Swap[]): Amount => {
  if (settle.amount === CONTRACT_BALANCE) return everything;
  if (settle.amount !== null) return exactly(settle.amount);
  const needed = neededBy(swaps, settle.currency);
  const most = settle.most === null ? needed.most : smaller(needed.most, settle.most);
  return { least: smaller(needed.least, most), most };
};

/** The amount of a currency that the swaps themselves guarantee. */
const promisedBy = (swaps: readonly V4Swap[], currency: Address): Amount => {
  const paying = swaps.filter(({ get }) => get === currency);
  const least = sum(paying.map(({ exactOut, amount, limit }) => (exactOut ? amount : limit)));
  return paying.length > 0 && paying.every(({ exactOut }) => exactOut) ? exactly(least) : atLeast(least);
};

type Share = { readonly taken: V4Take; readonly amount: Amount };
type Shares = { readonly main: readonly Share[]; readonly fees: NonNullable<Draft["fees"]> };

/** The first party that takes "the rest" takes all of it. Fixed amounts and shares that others take before are fees. */
const shareOut = (takes: readonly V4Take[], promised: Amount): Shares => {
  const before: V4Take[] = [];
  for (const take of takes) {
    if (take.amount !== null || take.bps !== null) {
      before.push(take);
      continue;
    }
    const bps = sum(before.map((each) => each.bps ?? 0n));
    const fixed = sum(before.map((each) => each.amount ?? 0n));
    const after = (promised.least * (BPS - smaller(bps, BPS))) / BPS;
    const least = after > fixed ? after - fixed : 0n;
    const amount =
      before.length === 0 && promised.least === promised.most
        ? promised
        : atLeast(least > take.least ? least : take.least);
    return { main: [{ taken: take, amount }], fees: feesOf(before) };
  }
  return {
    main: before.map((taken) => ({
      taken,
      amount: taken.amount === null ? unknownAmount : exactly(taken.amount),
    })),
    fees: [],
  };
};

const feesOf = (takes: readonly V4Take[]): NonNullable<Draft["fees"]> =>
  takes.map(({ currency, receiver, bps, amount, at }) => ({
    to: receiver,
    asset: assetAt(currency),
    share: bps === null ? exactly(amount ?? 0n) : { bps },
    at,
  }));

/** Closing pays what is owed or takes what is left, always from and to the caller. */
const withCloses = (plan: V4Plan, call: CallView): V4Plan => {
  const owed = new Set(plan.swaps.map(({ give }) => give));
  const settles = [...plan.settles];
  const takes = [...plan.takes];
  for (const { currency, at } of plan.closes) {
    if (owed.has(currency)) settles.push({ currency, amount: null, most: null, payer: call.sender, at });
    else takes.push({ currency, amount: null, least: 0n, bps: null, receiver: call.sender, at });
  }
  return { ...plan, settles, takes, closes: [] };
};

const onePayer = (settles: readonly V4Settle[]): Party => {
  const payers = new Set(settles.map(({ payer }) => payer));
  const [payer] = payers;
  if (payer === undefined || payers.size > 1) throw new Error("the debts are not settled by one party");
  return payer;
};

const byCurrency = (takes: readonly V4Take[]): ReadonlyMap<Address, readonly V4Take[]> => {
  const groups = new Map<Address, V4Take[]>();
  for (const take of takes) groups.set(take.currency, [...(groups.get(take.currency) ?? []), take]);
  return groups;
};

const termsOf = (
  swaps: readonly V4Swap[],
  gives: readonly DraftFlow[],
  gets: readonly DraftFlow[],
): Draft["terms"] => {
  const [first] = gives;
  const [last] = gets;
  const faults = first && last && gives.length === 1 && gets.length === 1 ? swapFaults(first, last) : [];
  const path = [...new Set(swaps.flatMap((swap) => swap.path))].filter((hop) => hop !== ZERO_ADDRESS);
  return {
    path,
    ...(faults.length > 0 ? { faults } : {}),
    ...(swaps.length > 0 && swaps.every(({ exactOut }) => exactOut) ? { exactOut: true } : {}),
  };
};

/** The exchange, then the payments if the outputs go to several parties. */
const draftsOf = (plan: V4Plan): readonly Draft[] => {
  const { swaps, settles, takes } = plan;
  if (swaps.length === 0 || takes.length === 0) throw new Error("the plan is not an exchange");
  const gives = settles.map((settle) => flow(assetAt(settle.currency), settled(settle, swaps), settle.at));
  const shares = [...byCurrency(takes)].map(([currency, group]) =>
    shareOut(group, promisedBy(swaps, currency)),
  );
  const main = shares.flatMap((share) => share.main);
  const receivers = new Set(main.map(({ taken }) => taken.receiver));
  const [receiver] = receivers;
  const one = receivers.size === 1 && receiver !== undefined;
  const gets = main.map(({ taken, amount }) => flow(assetAt(taken.currency), amount, taken.at));
  const swap: Draft = {
    act: "swap",
    gives,
    gets,
    payer: onePayer(settles),
    receiver: one ? receiver : "venue",
    fees: shares.flatMap((share) => share.fees),
    choices: swaps.flatMap(({ choices }) => choices),
    ...withTerms(termsOf(swaps, gives, gets)),
    places: {
      amount: gives[0]?.at ?? "",
      minimum: swaps.at(-1)?.at ?? "",
      receiver: main[0]?.taken.at ?? "",
    },
  };
  if (one) return [swap];
  const handed = main.map(({ taken, amount }) =>
    forwardAll(assetAt(taken.currency), amount.least, taken.receiver, {
      amount: taken.at,
      receiver: taken.at,
    }),
  );
  return [swap, ...handed];
};

const withTerms = (terms: Draft["terms"]): Pick<Draft, "terms"> => (terms === undefined ? {} : { terms });

/** The input of a V4 swap command: actions and their parameters. */
export const v4SwapInput = blob("bytes actions, bytes[] params", {
  actions: feeds.act,
  params: openedBy(...planOpenings),
});

export const readV4Swap = (input: Hex, call: CallView, at: string): readonly Draft[] => {
  const [actions, params] = call.open(v4SwapInput, input, at);
  return draftsOf(withCloses(readV4Plan(actions, params, call, { at: `${at}.` }), call));
};
