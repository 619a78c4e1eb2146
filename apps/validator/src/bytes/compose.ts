/**
 * Folds the steps of one call into their total. A router's program is a dozen small steps on funds that the router holds for a
 * moment; the owner asked for one swap.
 *
 * | Step                                                | Result                                                               |
 * | --------------------------------------------------- | -------------------------------------------------------------------- |
 * | native value, token pulled to the venue, wrap       | the owner's funds in the venue (a unit lot): given when a step uses them |
 * | swap (or other) paid by self, kept by the venue     | an output lot that remembers what was given for it                   |
 * | swap (or other) paid by the venue                   | continues from the lot it spends: the inputs are those of the lot    |
 * | forward or unwrap of everything to a party          | delivery: one effect, from the first input to the last output        |
 * | … its minimum                                       | counts for that asset only; the larger of it and the steps' own      |
 * | forward of own funds back to self                   | a refund: it lowers what is given, and is not an output              |
 * | forward of a share or fixed sum to another party    | a fee on the swap; a plain transfer if there is no swap              |
 * | approve, revoke, permit, admin, opaque              | stays an effect of its own                                           |
 * | two deliveries of the same assets to one party      | added up                                                             |
 * | native value neither used nor returned              | counts as given, with a fault                                        |
 * | output that no step passes on                       | receiver `venue`, with a fault                                       |
 */
import {
  exactly,
  native,
  sameAsset,
  amountFault,
  nativeFault,
  type Amount,
  type Asset,
  type Effect,
  type Flow,
  type Fault,
} from "../effects.ts";
import { forward } from "./compose-forward.ts";
import { coinLot, deposit, take, type Lot, type Lots, type Taken } from "./lots.ts";
import type { Origin } from "./make-effect.ts";
import type { Program, Root } from "./program.ts";
import { earliest, isAlone, isMain, mergeParts, settle, withFault } from "./settle.ts";

/** Returns how much of the native value an effect accounts for, at least and at most. */
const coinUsed = ({ gives, fees }: Effect): { least: bigint; most: bigint } => {
  const used = { least: 0n, most: 0n };
  for (const { asset, amount } of gives) {
    if (asset.kind !== "native") continue;
    used.least += amount.least;
    used.most += amount.most;
  }
  for (const { asset, share } of fees) {
    if (asset.kind !== "native" || !("most" in share)) continue;
    used.least += share.least;
    used.most += share.most;
  }
  return used;
};

/**
 * Nearly every call has one effect that accounts for the native value and leaves nothing with the venue. A single
 * function returns what it leaves over, or it is dust; in a program each step depends on the next.
 */
const isSimple = (effects: readonly Effect[], { value, isCoinSent }: Root): boolean => {
  const [only] = effects;
  if (only === undefined || effects.length > 1 || only.act === "forward") return false;
  if (only.payer === "venue" || only.receiver === "venue") return false;
  const { least, most } = coinUsed(only);
  return (!isCoinSent && value === 0n) || (least <= value && value <= most);
};

const nothing: Taken = { gives: [], fees: [], legs: [], least: 0n, most: 0n, source: null };

/** Returns what a step spends: from the venue's holdings, from the native value, or directly from its payer. */
const inputsOf = (
  program: Program,
  effect: Effect,
): { taken: Taken; own: readonly Flow[]; missing: boolean } => {
  const own: Flow[] = [];
  let taken = nothing;
  let missing = false;
  for (const flow of effect.gives) {
    const { part, isShort } = takeFlow(program, effect, flow);
    missing ||= isShort;
    if (part === null) {
      own.push(flow);
      continue;
    }
    taken = {
      ...part,
      gives: [...taken.gives, ...part.gives],
      fees: [...taken.fees, ...part.fees],
      legs: [...taken.legs, ...part.legs],
    };
  }
  takeCoinFees(program, effect);
  return { taken, own, missing };
};

/** Takes one flow of a step from what the venue holds. `part` is null if its payer pays directly. */
const takeFlow = (
  { lots, root }: Program,
  { payer }: Effect,
  { asset, amount }: Flow,
): { part: Taken | null; isShort: boolean } => {
  const isHeld = payer === "venue" || (asset.kind === "native" && payer === root.origin.sender);
  const part = isHeld ? take(lots, asset, amount) : null;
  // Native value that the caller pays comes with the call, unless the account itself runs the code.
  const mustBeHeld = payer === "venue" || (isHeld && root.isCoinSent);
  if (!mustBeHeld) return { part, isShort: false };
  if (part === null) return { part, isShort: amount.least > 0n };
  return { part, isShort: amount.everything !== true && part.most < amount.least };
};

const takeCoinFees = ({ lots }: Program, { fees }: Effect): void => {
  for (const { asset, share } of fees) {
    if (asset.kind === "native" && "most" in share)
      take(lots, native, { least: share.most, most: share.most });
  }
};

/** Funds that are wrapped, pulled in or moved from one place to another stay the owner's, one for one. */
const sourceAfter = (effect: Effect, taken: Taken): Flow["asset"] | null => {
  if (effect.act === "transfer") return taken.source ?? effect.gives[0]?.asset ?? null;
  if (effect.act === "wrap" || effect.act === "unwrap") return taken.source;
  return null;
};

const isOneForOne = ({ act }: Effect): boolean => act === "wrap" || act === "unwrap" || act === "transfer";

const larger = (taken: Taken, said: Amount): Amount => ({
  least: taken.source === null && said.least > taken.least ? said.least : taken.least,
  most: taken.most,
});

const keep = (program: Program, effect: Effect, taken: Taken, gives: readonly Flow[]): void => {
  const source = sourceAfter(effect, taken);
  const outputs = effect.gets.length > 0 ? effect.gets : effect.gives;
  for (const [i, { asset, amount, where }] of outputs.entries()) {
    const held = isOneForOne(effect) && taken.most > 0n ? larger(taken, amount) : amount;
    deposit(program.lots, {
      asset,
      amount: held,
      where,
      source,
      gives: i === 0 ? gives : [],
      fees: i === 0 ? [...taken.fees, ...effect.fees] : [],
      legs: [...taken.legs, effect],
    });
  }
};

const isHandedOn = ({ act, payer, receiver }: Effect): boolean =>
  act === "forward" || (act === "unwrap" && payer === "venue" && receiver !== "venue");

const step = (program: Program, effect: Effect): void => {
  if (effect.act === "harmless" && effect.choices.length === 0) return;
  if (isAlone(effect)) {
    program.out.push(effect);
    return;
  }
  if (isHandedOn(effect)) {
    forward(program, effect);
    return;
  }
  const { taken, own, missing } = inputsOf(program, effect);
  const gives = [...taken.gives, ...own];
  if (effect.receiver === "venue") {
    keep(program, effect, taken, gives);
    return;
  }
  const payer =
    effect.payer === "venue" && taken.gives.length > 0 ? program.root.origin.sender : effect.payer;
  const made = { ...settle(effect, taken.legs), payer, gives: gives.length > 0 ? gives : effect.gives };
  const whole = { ...made, fees: [...taken.fees, ...effect.fees] };
  program.out.push(missing ? withFault(whole, NOT_HELD) : whole);
};

const NOT_HELD = amountFault("it spends funds that the called contract does not hold for you");
const KEPT = amountFault("the called contract keeps the output: no step passes it on");

const left = (asset: Asset): Fault =>
  asset.kind === "native"
    ? nativeFault("more native token is sent than is used, and the rest is not returned")
    : amountFault("more tokens are taken than are used, and the rest is not returned");

const leftover = (program: Program): void => {
  const main = program.out.findIndex((effect) => effect.gives.length > 0 || isMain(effect));
  for (const lot of program.lots.values()) {
    if (lot.source !== null && lot.most > 0n) {
      loseTo(program, main, { asset: lot.source, amount: exactly(lot.most), where: lot.where });
    } else if (lot.source === null && (lot.least > 0n || lot.gives.length > 0)) {
      keepForEver(program, lot);
    }
  }
};

const keepForEver = ({ out, root }: Program, lot: Lot): void => {
  const last = lot.legs.at(-1);
  if (last === undefined) return;
  const made = { ...settle(last, lot.legs), gives: lot.gives, fees: lot.fees, payer: root.origin.sender };
  out.push(withFault({ ...made, receiver: "venue" }, KEPT));
};

/** Adds unused funds to the effect they were sent with, so that the amount no longer matches the request. */
const loseTo = ({ out, root }: Program, index: number, lost: Flow): void => {
  const effect = out[index];
  if (effect === undefined) {
    out.push({ ...withFault(lostTransfer(root.origin, out[0]), left(lost.asset)), gives: [lost] });
    return;
  }
  // The amount that an exact output may leave over was already counted as possibly used.
  const others = effect.gives.filter(({ asset }) => !sameAsset(asset, lost.asset));
  const before = effect.gives.find(({ asset }) => sameAsset(asset, lost.asset));
  const total = (before?.amount.least ?? 0n) + lost.amount.most;
  out[index] = withFault(
    { ...effect, gives: [{ ...lost, amount: exactly(total) }, ...others] },
    left(lost.asset),
  );
};

const lostTransfer = (origin: Origin, like: Effect | undefined): Effect => ({
  act: "transfer",
  gives: [],
  gets: [],
  payer: origin.sender,
  receiver: origin.target,
  authority: null,
  fees: [],
  venue: origin.venue,
  protocol: origin.protocol,
  toChain: null,
  deadline: null,
  terms: {},
  admin: null,
  choices: [],
  knowledge: origin.knowledge,
  target: origin.target,
  function: origin.function,
  where: like?.where ?? { call: origin.where, field: "value" },
  places: {},
});

/** Adds fees and payments that were made before the swap to the swap. */
const finish = ({ out, spent, fees }: Program): readonly Effect[] => {
  const main = Math.max(out.findIndex(isMain), 0);
  const effect = out[main];
  if (effect !== undefined && (spent.length > 0 || fees.length > 0)) {
    out[main] = { ...effect, gives: [...effect.gives, ...spent], fees: [...effect.fees, ...fees] };
  }
  return mergeParts(out);
};

export const compose = (effects: readonly Effect[], root: Root): readonly Effect[] => {
  if (!root.program && isSimple(effects, root)) return effects;
  const lots: Lots = new Map();
  if (root.value > 0n) lots.set("native", coinLot(root.value, { call: root.origin.where, field: "value" }));
  const program: Program = { root, lots, out: [], spent: [], fees: [], hasMain: effects.some(isMain) };
  for (const effect of effects) step(program, effect);
  leftover(program);
  const made = finish(program);
  const limit = earliest(effects.filter(({ act }) => act === "harmless"));
  if (made.length === 0)
    return effects.slice(0, 1).map((effect) => ({ ...effect, act: "harmless", gives: [], gets: [] }));
  return limit === null
    ? made
    : made.map((effect) => ({ ...effect, deadline: earliest([effect, { deadline: limit }]) }));
};
