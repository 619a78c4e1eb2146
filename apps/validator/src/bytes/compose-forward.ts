/** Handles the steps that pass on what the venue holds. The receiver decides what such a step is. */
import {
  MAX_UINT,
  everything,
  native,
  sameAsset,
  type Amount,
  type Asset,
  type Effect,
  type Fee,
  type Flow,
} from "../effects.ts";
import type { Program } from "./program.ts";
import { lotKey, take, takesAll, type Lot, type Taken } from "./lots.ts";
import { settle } from "./settle.ts";

const isBack = (effect: Effect, lot: Lot): boolean => {
  if (lot.source === null) return false;
  const arrives = effect.act === "unwrap" ? native : lot.asset;
  // The part that an exact output did not use is returned in the form it has by then.
  return sameAsset(lot.source, arrives) || lot.least === 0n;
};

const WHOLE_BPS = 10_000n;

const shareOf = ({ fees }: Effect): bigint => {
  const sum = fees.reduce((bps, { share }) => ("bps" in share ? bps + share.bps : bps), 0n);
  return sum > WHOLE_BPS ? WHOLE_BPS : sum;
};

const delivered = (effect: Effect, asset: Asset, amount: Amount, taken: Taken): readonly Flow[] => {
  const minimum = effect.act === "unwrap" ? (effect.gets[0]?.amount.least ?? 0n) : amount.least;
  // A step that checks its minimum and then pays a share out of it guarantees only the rest.
  const said = (minimum * (WHOLE_BPS - shareOf(effect))) / WHOLE_BPS;
  const least = amount.everything === true && taken.least > said ? taken.least : said;
  const most = taken.source === null ? MAX_UINT : taken.most;
  const where = effect.gets[0]?.where ?? effect.gives[0]?.where ?? effect.where;
  return [{ asset, amount: { least, most: most < least ? least : most }, where }];
};

const deliver = (program: Program, effect: Effect, lot: Lot, amount: Amount): void => {
  const all = takesAll(lot, amount);
  const wanted: Amount = all ? { ...everything, least: amount.least } : amount;
  const taken = take(program.lots, lot.asset, wanted);
  if (taken === null) return;
  const asset = effect.act === "unwrap" ? native : lot.asset;
  const payer = program.root.origin.sender;
  if (taken.source !== null && sameAsset(taken.source, asset)) {
    const moved = {
      ...effect,
      act: "transfer" as const,
      gets: [],
      payer,
      gives: taken.gives,
      fees: taken.fees,
    };
    program.out.push(moved);
    return;
  }
  const last = { ...effect, gets: delivered(effect, asset, wanted, taken), fees: [] };
  const made = settle(last, taken.legs);
  // A sweep of what was only wrapped counts as the wrap. Native value unwrapped for the owner stays an unwrap.
  program.out.push({ ...made, gets: last.gets, payer, gives: taken.gives, fees: taken.fees });
};

const charge = (program: Program, fee: Fee, lot: Lot, amount: Amount): void => {
  if (lot.source !== null) {
    const taken = take(program.lots, lot.asset, amount);
    program.spent.push(...(taken?.gives ?? []));
    program.fees.push(fee);
    return;
  }
  lot.fees.push(fee);
  lot.least = lot.least > amount.most ? lot.least - amount.most : 0n;
};

const giveBack = (program: Program, asset: Asset, amount: Amount): void => {
  // Only a known contract can be relied on to return the rest.
  if (program.root.origin.knowledge === "bound") take(program.lots, asset, amount);
};

const handToOther = (program: Program, effect: Effect, lot: Lot, { asset, amount, where }: Flow): void => {
  const isPart = program.hasMain && !takesAll(lot, amount);
  if (isPart && effect.receiver !== null) {
    charge(program, { to: effect.receiver, asset, share: amount, where }, lot, amount);
  } else deliver(program, effect, lot, amount);
};

const handOn = (program: Program, effect: Effect, flow: Flow): void => {
  const { receiver } = effect;
  if (receiver === "venue") return;
  const isOwn = receiver === "self" || receiver === program.root.origin.sender;
  const lot = program.lots.get(lotKey(flow.asset));
  if (lot === undefined) {
    if (!isOwn) program.out.push({ ...effect, act: effect.act === "forward" ? "transfer" : effect.act });
  } else if (!isOwn) handToOther(program, effect, lot, flow);
  else if (isBack(effect, lot)) giveBack(program, flow.asset, flow.amount);
  else deliver(program, effect, lot, flow.amount);
};

const payShare = (program: Program, effect: Effect, fee: Fee): void => {
  if (!("bps" in fee.share)) {
    program.fees.push(fee);
    return;
  }
  const { bps } = fee.share;
  // An unwrap pays its share in native value, out of the wrapped token that is held.
  const asset = effect.act === "unwrap" ? (effect.gives[0]?.asset ?? fee.asset) : fee.asset;
  const paying = { ...effect, receiver: fee.to, fees: [] };
  if (bps >= WHOLE_BPS) {
    handOn(program, paying, { asset, amount: everything, where: fee.where });
    return;
  }
  const lot = program.lots.get(lotKey(asset));
  if (fee.to === "self") return;
  if (lot === undefined) {
    program.fees.push(fee);
    return;
  }
  if (lot.source === null) {
    lot.fees.push(fee);
    lot.least = (lot.least * (WHOLE_BPS - bps)) / WHOLE_BPS;
    return;
  }
  const part = (lot.most * bps) / WHOLE_BPS;
  handOn(program, paying, { asset, amount: { least: part, most: part }, where: fee.where });
};

export const forward = (program: Program, effect: Effect): void => {
  for (const fee of effect.fees) payShare(program, effect, fee);
  for (const flow of effect.gives) handOn(program, effect, flow);
};
