/**
 * Tracks what the called contract holds in the middle of a program: for each asset the least and most it can be, and
 * what the owner gave for it.
 *
 * A `unit` lot is the owner's own funds in another place, one for one: native value sent with the call, wrapped
 * native, a token pulled in. The rest of it is a refund, not an output.
 */
import {
  MAX_UINT,
  native,
  sameAsset,
  type Amount,
  type Asset,
  type Effect,
  type Fee,
  type Flow,
  type Where,
} from "../effects.ts";

export type Lot = {
  readonly asset: Asset;
  least: bigint;
  most: bigint;
  /** For a unit lot: the asset it was before. Null: an output. */
  source: Asset | null;
  where: Where;
  gives: Flow[];
  fees: Fee[];
  legs: Effect[];
};

/** The part that a step took out of a lot: what the owner gave for it, and the steps that made it. */
export type Taken = {
  readonly gives: readonly Flow[];
  readonly fees: readonly Fee[];
  readonly legs: readonly Effect[];
  readonly least: bigint;
  readonly most: bigint;
  readonly source: Asset | null;
};

export type Lots = Map<string, Lot>;

export const lotKey = (asset: Asset): string => {
  if (asset.kind === "native") return "native";
  if (asset.kind === "unsaid") return "unsaid";
  return asset.kind === "token" ? asset.address : `${asset.address}#${asset.id ?? "*"}`;
};

const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const cap = (n: bigint): bigint => smaller(n, MAX_UINT);

const addAmounts = (a: Amount, b: Amount): Amount => ({
  least: cap(a.least + b.least),
  most: cap(a.most + b.most),
  ...(a.everything === true || b.everything === true ? { everything: true } : {}),
});

/** Adds up the amounts of each asset. */
export const sumFlows = (flows: readonly Flow[]): readonly Flow[] => {
  const sums: Flow[] = [];
  for (const flow of flows) {
    const at = sums.findIndex(({ asset }) => sameAsset(asset, flow.asset));
    const before = sums[at];
    if (before === undefined) sums.push(flow);
    else sums[at] = { ...before, amount: addAmounts(before.amount, flow.amount) };
  }
  return sums;
};

export const coinLot = (value: bigint, where: Where): Lot => ({
  asset: native,
  least: value,
  most: value,
  source: native,
  where,
  gives: [],
  fees: [],
  legs: [],
});

const asOutput = (lot: Lot): void => {
  if (lot.source === null) return;
  lot.gives.push({ asset: lot.source, amount: { least: lot.least, most: lot.most }, where: lot.where });
  lot.source = null;
};

type Deposit = {
  readonly asset: Asset;
  readonly amount: Amount;
  readonly where: Where;
  readonly source: Asset | null;
  readonly gives: readonly Flow[];
  readonly fees: readonly Fee[];
  readonly legs: readonly Effect[];
};

export const deposit = (lots: Lots, into: Deposit): void => {
  const key = lotKey(into.asset);
  const lot = lots.get(key);
  if (lot === undefined) {
    lots.set(key, {
      asset: into.asset,
      least: into.amount.least,
      most: into.amount.most,
      source: into.source,
      where: into.where,
      gives: into.source === null ? [...into.gives] : [],
      fees: [...into.fees],
      legs: [...into.legs],
    });
    return;
  }
  const isSameSource = lot.source !== null && into.source !== null && sameAsset(lot.source, into.source);
  if (!isSameSource) {
    asOutput(lot);
    lot.gives.push(...(into.source === null ? into.gives : [{ ...into, asset: into.source }]));
  }
  lot.least = cap(lot.least + into.amount.least);
  lot.most = cap(lot.most + into.amount.most);
  lot.fees.push(...into.fees);
  lot.legs.push(...into.legs);
};

export const takesAll = (lot: Lot, amount: Amount): boolean =>
  amount.everything === true || (amount.least >= lot.most && lot.most > 0n);

const takeUnits = (lot: Lot, source: Asset, amount: Amount): Taken => {
  const all = takesAll(lot, amount);
  const most = all ? lot.most : smaller(amount.most, lot.most);
  const least = all ? lot.least : smaller(amount.least, lot.least);
  lot.least = lot.least > most ? lot.least - most : 0n;
  lot.most = all ? 0n : lot.most - least;
  const gives = [{ asset: source, amount: { least, most }, where: lot.where }];
  const taken = { gives, fees: lot.fees, legs: lot.legs, least, most, source };
  lot.fees = [];
  return taken;
};

/** The first step that uses an output is charged with everything that was given for it. The totals are right in the end. */
const takeOutput = (lot: Lot, amount: Amount): Taken => {
  const all = takesAll(lot, amount);
  const taken = {
    gives: lot.gives,
    fees: lot.fees,
    legs: lot.legs,
    least: all ? lot.least : smaller(amount.least, lot.least),
    most: all ? lot.most : smaller(amount.most, lot.most),
    source: null,
  };
  lot.gives = [];
  lot.fees = [];
  lot.least = lot.least > taken.most ? lot.least - taken.most : 0n;
  lot.most = all ? 0n : lot.most - taken.least;
  return taken;
};

/** Takes `amount` of `asset` out of the holdings. Null: the venue holds none of it. */
export const take = (lots: Lots, asset: Asset, amount: Amount): Taken | null => {
  const key = lotKey(asset);
  const lot = lots.get(key);
  if (lot === undefined) return null;
  const taken = lot.source === null ? takeOutput(lot, amount) : takeUnits(lot, lot.source, amount);
  if (lot.most === 0n) lots.delete(key);
  return taken;
};
