/**
 * V4 keeps balances: actions create debts and credits in each currency, and settle and take them at the end. One
 * action alone means little, so a plan is read as a whole: what it settles is given, and what it takes is received.
 */
import { blob } from "../../bytes/openings.ts";
import type { Party } from "../../effects.ts";
import type { Address, Hex } from "../../proposal.ts";
import type { CallView, DraftChoice } from "../../protocol.ts";
import { feeds, feedsAll, feedsWhen, inert, type Opening } from "../../uses.ts";
import { hookChoices } from "./pool-choices.ts";
import { lower, partyAt } from "./swap-draft.ts";
import { SENDER_MARK, VENUE_MARK } from "./v3-router.ts";

export const CONTRACT_BALANCE = 1n << 255n;

export type V4Swap = {
  readonly give: Address;
  readonly get: Address;
  readonly exactOut: boolean;
  /** Given if the input is exact (0: the whole credit), received if the output is. */
  readonly amount: bigint;
  readonly limit: bigint;
  readonly path: readonly Address[];
  /** Hooks of the pools, and their data. */
  readonly choices: readonly DraftChoice[];
  readonly at: string;
};
/** `amount` null: the whole debt. */
export type V4Settle = {
  readonly currency: Address;
  readonly amount: bigint | null;
  readonly most: bigint | null;
  readonly payer: Party;
  readonly at: string;
};
/** `amount` null: the whole credit. */
export type V4Take = {
  readonly currency: Address;
  readonly amount: bigint | null;
  readonly least: bigint;
  readonly bps: bigint | null;
  readonly receiver: Party;
  readonly at: string;
};
type V4Close = { readonly currency: Address; readonly at: string };
export type V4Plan = {
  readonly swaps: V4Swap[];
  readonly settles: V4Settle[];
  readonly takes: V4Take[];
  readonly closes: V4Close[];
};

/** One action: the openings of its parameters, and a reader that adds to `P`. */
export type Action<P> = {
  readonly opens: readonly Opening[];
  readonly read: (found: P, data: Hex, call: CallView, at: string) => void;
};

export const action = <P, V>(
  opening: Opening<V>,
  read: (found: P, values: V, call: CallView, at: string) => void,
): Action<P> => ({
  opens: [opening],
  read: (found, data, call, at) => {
    read(found, call.open(opening, data, at), call, at);
  },
});

/** Later routers add a price limit for each hop. Calldata fits only one of the two forms. */
export const openEither = <A, B>(
  [older, newer]: readonly [Opening<A>, Opening<B>],
  data: Hex,
  call: CallView,
  at: string,
): A | B => {
  try {
    return call.open(older, data, at);
  } catch {
    return call.open(newer, data, at);
  }
};

const eitherAction = <P, A, B>(
  forms: readonly [Opening<A>, Opening<B>],
  read: (found: P, values: A | B, call: CallView, at: string) => void,
): Action<P> => ({
  opens: forms,
  read: (found, data, call, at) => {
    read(found, openEither(forms, data, call, at), call, at);
  },
});

export const POOL_KEY =
  "(address currency0, address currency1, uint24 fee, int24 tickSpacing, address hooks) poolKey";
const HOPS =
  "(address intermediateCurrency, uint256 fee, int24 tickSpacing, address hooks, bytes hookData)[] path";
const IN = "uint128 amountIn, uint128 amountOutMinimum";
const OUT = "uint128 amountOut, uint128 amountInMaximum";

const currency = feedsAll("asset", "path");
export const hookDataUse = feedsWhen("choice", "it is not empty");
/** The minimum or maximum of the swap bounds the price. */
const poolUses = { fee: inert.bounded, tickSpacing: inert.bounded, hooks: feeds.choice };
const inUses = {
  amountIn: feedsWhen("amount", "the settlement leaves to the swap what is paid"),
  amountOutMinimum: feedsWhen("minimum", "no take asks for more"),
};
const outUses = {
  amountOut: feedsWhen("minimum", "the takes leave to the swap what arrives"),
  amountInMaximum: feedsWhen("amount", "the settlement leaves to the swap what is paid"),
};
const singleUses = {
  poolKey: { currency0: currency, currency1: currency, ...poolUses },
  zeroForOne: feeds.asset,
  hookData: hookDataUse,
};
const hopUses = { path: { intermediateCurrency: currency, ...poolUses, hookData: hookDataUse } };
const priceUse = { minHopPriceX36: inert.restricts };

const singleIn = [
  blob(`(${POOL_KEY}, bool zeroForOne, ${IN}, bytes hookData) swap` as const, {
    swap: { ...singleUses, ...inUses },
  }),
  blob(`(${POOL_KEY}, bool zeroForOne, ${IN}, uint256 minHopPriceX36, bytes hookData) swap` as const, {
    swap: { ...singleUses, ...inUses, ...priceUse },
  }),
] as const;
const singleOut = [
  blob(`(${POOL_KEY}, bool zeroForOne, ${OUT}, bytes hookData) swap` as const, {
    swap: { ...singleUses, ...outUses },
  }),
  blob(`(${POOL_KEY}, bool zeroForOne, ${OUT}, uint256 minHopPriceX36, bytes hookData) swap` as const, {
    swap: { ...singleUses, ...outUses, ...priceUse },
  }),
] as const;
const multiIn = [
  blob(`(address currencyIn, ${HOPS}, ${IN}) swap` as const, {
    swap: { currencyIn: currency, ...hopUses, ...inUses },
  }),
  blob(`(address currencyIn, ${HOPS}, uint256[] minHopPriceX36, ${IN}) swap` as const, {
    swap: { currencyIn: currency, ...hopUses, ...inUses, ...priceUse },
  }),
] as const;
const multiOut = [
  blob(`(address currencyOut, ${HOPS}, ${OUT}) swap` as const, {
    swap: { currencyOut: currency, ...hopUses, ...outUses },
  }),
  blob(`(address currencyOut, ${HOPS}, uint256[] minHopPriceX36, ${OUT}) swap` as const, {
    swap: { currencyOut: currency, ...hopUses, ...outUses, ...priceUse },
  }),
] as const;

type Amounts = Pick<V4Swap, "exactOut" | "amount" | "limit">;

type Single = {
  readonly poolKey: { readonly currency0: string; readonly currency1: string; readonly hooks: string };
  readonly zeroForOne: boolean;
  readonly hookData: Hex;
};

const single = (swap: Single, amounts: Amounts, at: string): V4Swap => {
  const { currency0, currency1, hooks } = swap.poolKey;
  const [zero, one] = [lower(currency0), lower(currency1)];
  const [give, get] = swap.zeroForOne ? [zero, one] : [one, zero];
  const choices = hookChoices(hooks, swap.hookData, `${at}.swap`);
  return { give, get, ...amounts, path: [give, get], choices, at: `${at}.swap` };
};

type Hop = { readonly intermediateCurrency: string; readonly hooks: string; readonly hookData: Hex };

const multi = (end: string, hops: readonly Hop[], amounts: Amounts, at: string): V4Swap => {
  const between = hops.map(({ intermediateCurrency }) => lower(intermediateCurrency));
  const path = amounts.exactOut ? [...between, lower(end)] : [lower(end), ...between];
  const [give, get] = [path[0], path.at(-1)];
  if (give === undefined || get === undefined || hops.length === 0) throw new Error("the route has no hops");
  const choices = hops.flatMap(({ hooks, hookData }, i) =>
    hookChoices(hooks, hookData, `${at}.swap.path[${i}]`),
  );
  return { give, get, ...amounts, path, choices, at: `${at}.swap` };
};

const exactIn = (swap: { readonly amountIn: bigint; readonly amountOutMinimum: bigint }): Amounts => ({
  exactOut: false,
  amount: swap.amountIn,
  limit: swap.amountOutMinimum,
});
const exactOut = (swap: { readonly amountOut: bigint; readonly amountInMaximum: bigint }): Amounts => ({
  exactOut: true,
  amount: swap.amountOut,
  limit: swap.amountInMaximum,
});

const open = (amount: bigint): bigint | null => (amount === 0n ? null : amount);

export const v4Party = (address: string, call: CallView): Party =>
  partyAt(address, call, { sender: SENDER_MARK, venue: VENUE_MARK });

type Reader = Action<V4Plan>;

const swapReaders: Readonly<Record<number, Reader>> = {
  0x06: eitherAction(singleIn, ({ swaps }: V4Plan, [swap], _call, at) =>
    swaps.push(single(swap, exactIn(swap), at)),
  ),
  0x07: eitherAction(multiIn, ({ swaps }: V4Plan, [swap], _call, at) =>
    swaps.push(multi(swap.currencyIn, swap.path, exactIn(swap), at)),
  ),
  0x08: eitherAction(singleOut, ({ swaps }: V4Plan, [swap], _call, at) =>
    swaps.push(single(swap, exactOut(swap), at)),
  ),
  0x09: eitherAction(multiOut, ({ swaps }: V4Plan, [swap], _call, at) =>
    swaps.push(multi(swap.currencyOut, swap.path, exactOut(swap), at)),
  ),
};

const pairUses = { currency0: feeds.asset, currency1: feeds.asset };

const settleReaders: Readonly<Record<number, Reader>> = {
  0x0b: action(
    blob("address currency, uint256 amount, bool payerIsUser", {
      currency: feeds.asset,
      amount: feedsWhen("amount", "a position does not limit it to less"),
      payerIsUser: feedsWhen("payer", "no other debt is the caller's to pay"),
    }),
    ({ settles }: V4Plan, [coin, amount, payerIsUser], call, at) => {
      const payer = payerIsUser ? call.sender : "venue";
      settles.push({ currency: lower(coin), amount: open(amount), most: null, payer, at: `${at}.amount` });
    },
  ),
  0x0c: action(
    blob("address currency, uint256 maxAmount", {
      currency: feeds.asset,
      maxAmount: feedsWhen("amount", "it is less than the swaps may take"),
    }),
    ({ settles }: V4Plan, [coin, most], call, at) => {
      settles.push({ currency: lower(coin), amount: null, most, payer: call.sender, at: `${at}.maxAmount` });
    },
  ),
  0x0d: action(
    blob("address currency0, address currency1", {
      currency0: feedsWhen("asset", "the pool is not named"),
      currency1: feedsWhen("asset", "the pool is not named"),
    }),
    ({ settles }: V4Plan, pair, call, at) => {
      for (const coin of pair)
        settles.push({ currency: lower(coin), amount: null, most: null, payer: call.sender, at });
    },
  ),
};

const taking = { amount: null, least: 0n, bps: null };

const takeReaders: Readonly<Record<number, Reader>> = {
  0x0e: action(
    blob("address currency, address recipient, uint256 amount", {
      currency: feeds.asset,
      recipient: feeds.receiver,
      amount: feeds.minimum,
    }),
    ({ takes }: V4Plan, [coin, to, amount], call, at) => {
      const receiver = v4Party(to, call);
      takes.push({ ...taking, currency: lower(coin), amount: open(amount), receiver, at: `${at}.recipient` });
    },
  ),
  0x0f: action(
    blob("address currency, uint256 minAmount", {
      currency: feeds.asset,
      minAmount: feedsWhen("minimum", "it is more than the swaps guarantee"),
    }),
    ({ takes }: V4Plan, [coin, least], call, at) => {
      takes.push({ ...taking, currency: lower(coin), least, receiver: call.sender, at: `${at}.minAmount` });
    },
  ),
  0x10: action(
    blob("address currency, address recipient, uint256 bips", {
      currency: feeds.asset,
      recipient: feedsAll("receiver", "fee"),
      bips: feeds.fee,
    }),
    ({ takes }: V4Plan, [coin, to, bps], call, at) => {
      takes.push({ ...taking, currency: lower(coin), bps, receiver: v4Party(to, call), at: `${at}.bips` });
    },
  ),
  0x11: action(
    blob("address currency0, address currency1, address recipient", {
      ...pairUses,
      recipient: feeds.receiver,
    }),
    ({ takes }: V4Plan, [first, second, to], call, at) => {
      for (const coin of [first, second]) {
        const receiver = v4Party(to, call);
        takes.push({ ...taking, currency: lower(coin), receiver, at: `${at}.recipient` });
      }
    },
  ),
  0x12: action(
    blob("address currency", { currency: feeds.asset }),
    ({ closes }: V4Plan, [coin], _call, at) => {
      closes.push({ currency: lower(coin), at });
    },
  ),
};

const readers: Readonly<Record<number, Reader>> = { ...swapReaders, ...settleReaders, ...takeReaders };

/** Openings of the parameters of all actions here. */
export const planOpenings: readonly Opening[] = Object.values(readers).flatMap(({ opens }) => opens);

export type Extra = (action: number, data: Hex, at: string) => boolean;

/** `extra` handles the actions that are not about balances. An unknown action makes the whole plan unreadable. */
export const readV4Plan = (
  actions: Hex,
  params: readonly Hex[],
  call: CallView,
  options: { readonly at: string; readonly extra?: Extra },
): V4Plan => {
  const plan: V4Plan = { swaps: [], settles: [], takes: [], closes: [] };
  const codes = actions.slice(2).match(/../g) ?? [];
  if (codes.length !== params.length) throw new Error("the numbers of parameters and actions differ");
  for (const [i, code] of codes.entries()) {
    const kind = Number.parseInt(code, 16);
    const at = `${options.at}params[${i}]`;
    const data = params[i] ?? "0x";
    if (options.extra?.(kind, data, at) === true) continue;
    const reader = readers[kind];
    if (reader === undefined) throw new Error(`action 0x${code} is not known`);
    reader.read(plan, data, call, at);
  }
  return plan;
};
