/** Compares an amount in the transaction with the amount in the request. */
import { exactly, type Asset, type Flow } from "../effects.ts";
import type { Slot } from "../entailment.ts";
import type { Decimal, Quantity } from "../intent.ts";
import { toNumber, toUnits, within } from "./decimals.ts";
import { provenBalance, provenPrice, provenWorth } from "./proven.ts";
import { decimalsOf, showFlow, symbolOf } from "./show.ts";
import { worth } from "./worth.ts";
import type { World } from "./world.ts";

/** `why` completes the sentence of a `cannot_tell`. `resolved` is what the proven state makes of the request: "700 USDC". */
export type Judged = {
  readonly slot: Slot;
  readonly outcome: "same" | "differs" | "cannot_tell";
  readonly confidence: number;
  readonly why: string;
  readonly resolved?: string;
};

/**
 * `out`: it leaves the account, more is worse. `in`: it arrives, less is worse. `floor`: a minimum that the
 * transaction must guarantee.
 */
export type Sense = "out" | "in" | "floor";

const aboutBps = 200n;
const fiatBps = 300n;
/** The rounding of a printed number: a user who writes 0.3333 means a third. */
const printedBps = 5n;

const yes = (slot: Slot, confidence = 1): Judged => ({ slot, outcome: "same", confidence, why: "" });
const no = (slot: Slot): Judged => ({ slot, outcome: "differs", confidence: 1, why: "" });
const unsure = (slot: Slot, why: string): Judged => ({ slot, outcome: "cannot_tell", confidence: 1, why });

const verdict = (slot: Slot, ok: boolean, confidence = 1): Judged => (ok ? yes(slot, confidence) : no(slot));

export function judgeAmount(quantity: Quantity, flow: Flow, sense: Sense, world: World): Judged {
  if (quantity.kind === "share" || quantity.kind === "all") return judgeShare(quantity, flow, sense, world);
  if (quantity.kind === "fiat") return judgeFiat(quantity, flow, sense, world);
  const slot: Slot = sense === "out" ? "amount" : "amount_out";
  if (quantity.kind === "vague") return unsure(slot, `“${quantity.said}” is not an amount`);
  if (quantity.kind === "unlimited") return yes(slot, 0.95);
  if (quantity.kind === "raw") return judgeRaw(quantity.n, flow, sense, slot);
  return judgeNumber(quantity, flow, sense, world);
}

/** Base units are exact. More than a minimum may arrive, as with whole units. */
const judgeRaw = (said: bigint, { amount }: Flow, sense: Sense, slot: Slot): Judged =>
  verdict(slot, sense === "floor" ? amount.least >= said : amount.most === said && amount.least === said);

type Numbered = Quantity & { readonly kind: "exact" | "about" | "most" | "least" | "range" };

function judgeNumber(quantity: Numbered, flow: Flow, sense: Sense, world: World): Judged {
  const slot: Slot = sense === "out" ? "amount" : "amount_out";
  const place = { chain: world.proposal.chain.id, registry: world.registry };
  const decimals = decimalsOf(flow.asset, place);
  if (decimals === null)
    return unsure(slot, `we do not know how many decimals ${symbolOf(flow.asset, place)} has`);
  const units = (n: Decimal): bigint | null => toUnits(n, decimals);
  if (quantity.kind === "range") {
    const [low, high] = [units(quantity.least), units(quantity.most)];
    return low === null || high === null
      ? no(slot)
      : verdict(slot, flow.amount.least >= low && flow.amount.most <= high);
  }
  const said = units(quantity.n);
  if (said === null) return no(slot);
  return judgeUnits({ kind: quantity.kind, said, printed: quantity.n.scale }, flow, sense, slot);
}

type Said = {
  readonly kind: "exact" | "about" | "most" | "least";
  readonly said: bigint;
  readonly printed: number;
};

function judgeUnits({ kind, said, printed }: Said, { amount }: Flow, sense: Sense, slot: Slot): Judged {
  if (sense === "floor") return verdict(slot, kind === "most" ? true : amount.least >= said);
  if (amount.everything) return no(slot);
  switch (kind) {
    case "most":
      return verdict(slot, amount.most <= said);
    case "least":
      return sense === "in"
        ? verdict(slot, amount.least >= said)
        : verdict(slot, amount.least >= said && within(amount.most, said, aboutBps));
    case "about":
      return verdict(
        slot,
        within(amount.most, said, aboutBps) &&
          (sense === "out" ? amount.most > 0n : within(amount.least, said, aboutBps)),
        0.9,
      );
    case "exact":
      return judgeExact(said, printed, amount, slot);
  }
}

/** Exact to the wei. A number printed with decimals may be short by its own rounding, and never be exceeded. */
function judgeExact(said: bigint, printed: number, amount: Flow["amount"], slot: Slot): Judged {
  if (amount.least === said && amount.most === said) return yes(slot);
  const short =
    printed >= 3 &&
    amount.most < said &&
    amount.least === amount.most &&
    within(amount.most, said, printedBps);
  return short ? yes(slot, 0.9) : no(slot);
}

type Share = Quantity & { readonly kind: "share" | "all" };

const isWhole = (quantity: Share): boolean =>
  quantity.kind === "all" ? quantity.except === null : quantity.bps === 10_000n;

/** Only the account's balances are known: neither its debts, nor what a protocol holds for it. */
const isHeld = (quantity: Share, sense: Sense): boolean =>
  sense === "out" && (quantity.kind === "all" || quantity.of !== "debt");

/**
 * "Half my UNI", "everything": compared with the proven balance, the balance that the caller sent, or the protocol's own
 * value for "all".
 */
function judgeShare(quantity: Share, flow: Flow, sense: Sense, world: World): Judged {
  if (flow.amount.everything) return verdict("share", isWhole(quantity));
  const balance = isHeld(quantity, sense) ? balanceOf(flow.asset, world) : null;
  if (balance === null)
    return unsure("share", "the balance it is a share of is not known (metadata.state, metadata.balances)");
  const wanted = shareOf(quantity, balance.units, flow, world);
  if (wanted === null || flow.amount.least !== flow.amount.most) return no("share");
  const judged = verdict("share", isShare(flow, wanted, isWhole(quantity), balance), 0.95);
  if (!balance.isProven) return judged;
  const place = { chain: world.proposal.chain.id, registry: world.registry };
  return { ...judged, resolved: showFlow(flow.asset, exactly(wanted), place) };
}

type Holding = { readonly units: bigint; readonly isProven: boolean };

function isShare({ asset, amount }: Flow, wanted: bigint, whole: boolean, { isProven }: Holding): boolean {
  if (!whole) return within(amount.most, wanted, 1n);
  // Gas is paid in the native token, so all of it is a little less than the balance. A token that earns interest has grown a little
  // between the proposal and the block whose state was read.
  const remainderBps = asset.kind === "native" ? 500n : isProven ? 1n : 0n;
  return amount.most <= wanted && within(amount.most, wanted, remainderBps);
}

function shareOf(quantity: Share, balance: bigint, flow: Flow, world: World): bigint | null {
  if (quantity.kind === "share") {
    const [part, whole] = quantity.ratio ?? [quantity.bps, 10_000n];
    return (balance * part) / whole;
  }
  if (quantity.except === null) return balance;
  const decimals = decimalsOf(flow.asset, { chain: world.proposal.chain.id, registry: world.registry });
  const kept = decimals === null ? null : toUnits(quantity.except, decimals);
  return kept === null || kept > balance ? null : balance - kept;
}

function balanceOf(asset: Asset, world: World): Holding | null {
  const proven = provenBalance(asset, world);
  if (proven !== null) return { units: proven, isProven: true };
  const { balances } = world.proposal.context;
  if (balances === null || asset.kind === "unsaid") return null;
  const sent = balances.get(asset.kind === "native" ? "native" : asset.address);
  return sent === undefined ? null : { units: sent, isProven: false };
}

type Fiat = Quantity & { readonly kind: "fiat" };

function judgeFiat(quantity: Fiat, { asset, amount }: Flow, sense: Sense, world: World): Judged {
  const dollars = (units: bigint): number | null =>
    quantity.currency === "USD" ? (provenWorth(asset, units, world) ?? worth(asset, units, world)) : null;
  const [least, most] = [dollars(sense === "out" ? amount.most : amount.least), dollars(amount.most)];
  if (least === null || most === null)
    return unsure("usd", "no price is known to convert it (metadata.state, metadata.prices_usd)");
  const said = toNumber(quantity.n);
  const slack = Number(fiatBps) / 10_000;
  const low = quantity.bound === "most" ? 0 : said * (1 - slack);
  const high = quantity.bound === "most" ? said : said * (1 + slack);
  const judged = verdict("usd", least >= low && most <= high, 0.9);
  const price = provenPrice(asset, world);
  const place = { chain: world.proposal.chain.id, registry: world.registry };
  return price === null
    ? judged
    : { ...judged, resolved: `at ${price.toFixed(2)} USD for 1 ${symbolOf(asset, place)}` };
}
