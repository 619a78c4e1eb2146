/**
 * V4 keeps a tab: actions run up debts and credits in each currency, and settle and take them at the end. Read one by one they
 * mean little, so a plan is read as a whole: what is settled is given, what is taken is received.
 */
import { decodeBlob } from "../../bytes/decode.ts";
import type { Party } from "../../effects.ts";
import type { Address, Hex } from "../../proposal.ts";
import type { CallView } from "../../protocol.ts";
import { lower, partyAt } from "./swap-draft.ts";
import { SENDER_MARK, VENUE_MARK } from "./v3-router.ts";

export const CONTRACT_BALANCE = 1n << 255n;

export type V4Swap = {
  readonly give: Address;
  readonly get: Address;
  readonly exactOut: boolean;
  /** Given where the input is exact (0: all the credit there is), received where the output is. */
  readonly amount: bigint;
  readonly limit: bigint;
  readonly path: readonly Address[];
  readonly at: string;
};
/** `amount` null: whatever is owed. */
export type V4Settle = {
  readonly currency: Address;
  readonly amount: bigint | null;
  readonly most: bigint | null;
  readonly payer: Party;
  readonly at: string;
};
/** `amount` null: all there is to take. */
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

type Single = {
  readonly poolKey: { readonly currency0: string; readonly currency1: string };
  readonly zeroForOne: boolean;
  readonly amountIn: bigint;
  readonly amountOut: bigint;
  readonly amountOutMinimum: bigint;
  readonly amountInMaximum: bigint;
};
type Hop = { readonly intermediateCurrency: string };
type Multi = {
  readonly currencyIn: string;
  readonly currencyOut: string;
  readonly path: readonly Hop[];
  readonly amountIn: bigint;
  readonly amountOut: bigint;
  readonly amountOutMinimum: bigint;
  readonly amountInMaximum: bigint;
};

export const POOL_KEY =
  "(address currency0, address currency1, uint24 fee, int24 tickSpacing, address hooks) poolKey";
const HOPS =
  "(address intermediateCurrency, uint256 fee, int24 tickSpacing, address hooks, bytes hookData)[] path";

/** Later routers add a price limit for each hop; the bytes fit one form only. */
const eitherOf = (older: string, newer: string, data: Hex): unknown => {
  try {
    return decodeBlob(older, data)[0];
  } catch {
    return decodeBlob(newer, data)[0];
  }
};

const singleForm = (amounts: string, price: string): string =>
  `(${POOL_KEY}, bool zeroForOne, ${amounts}, ${price}bytes hookData) swap`;
const multiForm = (end: string, amounts: string, price: string): string =>
  `(address ${end}, ${HOPS}, ${price}${amounts}) swap`;

const IN = "uint128 amountIn, uint128 amountOutMinimum";
const OUT = "uint128 amountOut, uint128 amountInMaximum";

const readSingle = (exactOut: boolean, data: Hex, at: string): V4Swap => {
  const amounts = exactOut ? OUT : IN;
  const swap = eitherOf(
    singleForm(amounts, ""),
    singleForm(amounts, "uint256 minHopPriceX36, "),
    data,
  ) as Single;
  const [zero, one] = [lower(swap.poolKey.currency0), lower(swap.poolKey.currency1)];
  const [give, get] = swap.zeroForOne ? [zero, one] : [one, zero];
  const [amount, limit] = exactOut
    ? [swap.amountOut, swap.amountInMaximum]
    : [swap.amountIn, swap.amountOutMinimum];
  return { give, get, exactOut, amount, limit, path: [give, get], at: `${at}.swap` };
};

const readMulti = (exactOut: boolean, data: Hex, at: string): V4Swap => {
  const [end, amounts] = exactOut ? ["currencyOut", OUT] : ["currencyIn", IN];
  const newer = multiForm(end, amounts, "uint256[] minHopPriceX36, ");
  const swap = eitherOf(multiForm(end, amounts, ""), newer, data) as Multi;
  const hops = swap.path.map(({ intermediateCurrency }) => lower(intermediateCurrency));
  const path = exactOut ? [...hops, lower(swap.currencyOut)] : [lower(swap.currencyIn), ...hops];
  const [give, get] = [path[0], path.at(-1)];
  if (give === undefined || get === undefined || hops.length === 0) throw new Error("the route has no hops");
  const [amount, limit] = exactOut
    ? [swap.amountOut, swap.amountInMaximum]
    : [swap.amountIn, swap.amountOutMinimum];
  return { give, get, exactOut, amount, limit, path, at: `${at}.swap` };
};

const open = (amount: bigint): bigint | null => (amount === 0n ? null : amount);

export const v4Party = (address: string, call: CallView): Party =>
  partyAt(address, call, { sender: SENDER_MARK, venue: VENUE_MARK });

type Reader = (plan: V4Plan, data: Hex, call: CallView, at: string) => void;

const swapReaders: Readonly<Record<number, Reader>> = {
  0x06: ({ swaps }, data, _call, at) => swaps.push(readSingle(false, data, at)),
  0x07: ({ swaps }, data, _call, at) => swaps.push(readMulti(false, data, at)),
  0x08: ({ swaps }, data, _call, at) => swaps.push(readSingle(true, data, at)),
  0x09: ({ swaps }, data, _call, at) => swaps.push(readMulti(true, data, at)),
};

const settleReaders: Readonly<Record<number, Reader>> = {
  0x0b: ({ settles }, data, call, at) => {
    const [currency, amount, payerIsUser] = decodeBlob(
      "address currency, uint256 amount, bool payerIsUser",
      data,
    ) as [string, bigint, boolean];
    const payer = payerIsUser ? call.sender : "venue";
    settles.push({ currency: lower(currency), amount: open(amount), most: null, payer, at: `${at}.amount` });
  },
  0x0c: ({ settles }, data, call, at) => {
    const [currency, most] = decodeBlob("address currency, uint256 maxAmount", data) as [string, bigint];
    settles.push({
      currency: lower(currency),
      amount: null,
      most,
      payer: call.sender,
      at: `${at}.maxAmount`,
    });
  },
  0x0d: ({ settles }, data, call, at) => {
    const pair = decodeBlob("address currency0, address currency1", data) as [string, string];
    for (const currency of pair) {
      settles.push({ currency: lower(currency), amount: null, most: null, payer: call.sender, at });
    }
  },
};

const takeReaders: Readonly<Record<number, Reader>> = {
  0x0e: ({ takes }, data, call, at) => {
    const [currency, to, amount] = decodeBlob(
      "address currency, address recipient, uint256 amount",
      data,
    ) as [string, string, bigint];
    const receiver = v4Party(to, call);
    takes.push({
      currency: lower(currency),
      amount: open(amount),
      least: 0n,
      bps: null,
      receiver,
      at: `${at}.recipient`,
    });
  },
  0x0f: ({ takes }, data, call, at) => {
    const [currency, least] = decodeBlob("address currency, uint256 minAmount", data) as [string, bigint];
    takes.push({
      currency: lower(currency),
      amount: null,
      least,
      bps: null,
      receiver: call.sender,
      at: `${at}.minAmount`,
    });
  },
  0x10: ({ takes }, data, call, at) => {
    const [currency, to, bps] = decodeBlob("address currency, address recipient, uint256 bips", data) as [
      string,
      string,
      bigint,
    ];
    takes.push({
      currency: lower(currency),
      amount: null,
      least: 0n,
      bps,
      receiver: v4Party(to, call),
      at: `${at}.bips`,
    });
  },
  0x11: ({ takes }, data, call, at) => {
    const [first, second, to] = decodeBlob(
      "address currency0, address currency1, address recipient",
      data,
    ) as [string, string, string];
    for (const currency of [first, second]) {
      const receiver = v4Party(to, call);
      takes.push({
        currency: lower(currency),
        amount: null,
        least: 0n,
        bps: null,
        receiver,
        at: `${at}.recipient`,
      });
    }
  },
  0x12: ({ closes }, data, _call, at) => {
    closes.push({ currency: lower(String(decodeBlob("address currency", data)[0])), at });
  },
};

const readers: Readonly<Record<number, Reader>> = { ...swapReaders, ...settleReaders, ...takeReaders };

export type Extra = (action: number, data: Hex, at: string) => boolean;

/** `extra` takes the actions that are none of the tab's own; an action nobody knows makes the whole plan unreadable. */
export const readV4Plan = (
  actions: Hex,
  params: readonly Hex[],
  call: CallView,
  options: { readonly at: string; readonly extra?: Extra },
): V4Plan => {
  const plan: V4Plan = { swaps: [], settles: [], takes: [], closes: [] };
  const codes = actions.slice(2).match(/../g) ?? [];
  if (codes.length !== params.length) throw new Error("there are not as many parameters as actions");
  for (const [i, code] of codes.entries()) {
    const action = Number.parseInt(code, 16);
    const at = `${options.at}params[${i}]`;
    const data = params[i] ?? "0x";
    if (options.extra?.(action, data, at) === true) continue;
    const reader = readers[action];
    if (reader === undefined) throw new Error(`action 0x${code} is not known`);
    reader(plan, data, call, at);
  }
  return plan;
};
