/**
 * The account that acts, by the caller's own label: "Ops Safe on Base: send …", "sign for our Ops Safe", "pela Ops
 * Safe". A label of a shared account is a payee only after "to", an arrow or a verb of paying; anywhere else, next to
 * a payee, it says whose assets are used. The transaction must then be that account's.
 */
import { isOne, isPrep, itemAt, kinds, type Item } from "./items.ts";
import { isLabel } from "./labels.ts";

const SHARED =
  /\b(?:safe|multi-?sig|multifirma|multiassinatura|treasury|tesorer[ií]a|tesouraria|tr[eé]sorerie|schatzkammer|dao)\b|多签|金库/iu;

/** Whether an item is a label of an account that several people hold. */
export const isShared = (item: Item): boolean => isLabel(item) && SHARED.test(item.text);

const SMALL = kinds("noise,my");
const PAID = /^(?:to|into|behalf|between)$/;
const ARROW = /^(?:->|-->|=>|>>|→|➡|⇒|➔|⟶)$/;
const RECEIVES = /^(?:receives|want|arrives)$/;
const OTHERS = kinds("addr,name,contact");

const isSigning = (item: Item): boolean => item.k !== "verb" || (item.mark?.acts.length ?? 0) === 0;

const leadAt = (items: readonly Item[], at: number): number => {
  let back = at - 1;
  while (back >= 0 && back > at - 5 && isOne(items[back], SMALL)) back -= 1;
  return back;
};

/** "to the Ops Safe", "pay Ops Safe": who receives. "A Safe da tesouraria paga": before its subject a sentence opens with an article. */
const isLedTo = (lead: Item): boolean => {
  if (isPrep(lead, PAID)) return !(lead.first && lead.low.length === 1);
  if (lead.k === "key") return lead.v !== "from";
  return ARROW.test(lead.low) || !isSigning(lead);
};

/** "Ops Safe gets", "Ops Safe needs". */
const isReceiving = (items: readonly Item[], at: number): boolean => {
  let next = at + 1;
  while (next < at + 6 && (isOne(items[next], SMALL) || itemAt(items, next).skip)) next += 1;
  const { mark } = itemAt(items, next);
  return mark?.flags.some((flag) => RECEIVES.test(flag)) === true || itemAt(items, next).low === "is owed";
};

/** A payee is given by name or address: led by "to", or an address without another role. */
const isPayee = (items: readonly Item[], at: number): boolean =>
  isOne(items[at], OTHERS) && !isShared(itemAt(items, at)) && itemAt(items, at).low !== "";

/** Acts of an account that pay no one on their own. */
const PAYS = new Set<string | undefined>(["transfer", undefined]);

const actsOtherwise = (items: readonly Item[]): boolean =>
  items.some((item) => item.k === "verb" && !PAYS.has(item.mark?.acts[0]));

const asFrom = (items: Item[], lead: number, at: number): void => {
  const before = itemAt(items, lead);
  if (before.k === "prep") {
    items[lead] = { ...before, v: "from", low: "from" };
    return;
  }
  const label = itemAt(items, at);
  items.splice(at, 0, {
    ...label,
    k: "prep",
    v: "from",
    text: "",
    low: "from",
    end: label.start,
    mark: null,
    symbol: null,
    slot: "note",
  });
};

const HELD = /^(?:in|inside|within|dans|en|em|在)$/;

/** Where control changes hands the account is what it is done to, or who takes it over. */
const CONTROL = /owner|signer|threshold/;

export const takeAccounts = (items: Item[]): void => {
  if (items.filter(isShared).length !== 1 || items.some(({ low }) => CONTROL.test(low))) return;
  const at = items.findIndex(isShared);
  const lead = leadAt(items, at);
  const before = itemAt(items, lead);
  if (isPrep(before, /^from$/) || isLedTo(before) || isReceiving(items, at)) return;
  const payee = items.some((_, index) => isPayee(items, index));
  // "park 1 ETH in the treasury": without another party it is the destination.
  if (!payee && (!actsOtherwise(items) || HELD.test(before.low))) return;
  asFrom(items, lead, at);
};
