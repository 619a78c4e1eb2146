/** Turns what was read into steps: every value must have a role that its verb's frame allows, and every step all it needs. */
import type { AssetRef, PartyRef, Portion, Quantity, Span, Step } from "../../intent.ts";
import { sameDecimal } from "../../words/numbers.ts";
import type { Frame, Role } from "../lexicon/types.ts";
import type { Amount } from "../values.ts";
import type { Arg, Draft, State } from "./state.ts";

type Names = { readonly chainId: (name: string) => number | null };
type Filled = { readonly role: Role; readonly arg: Arg };

/** The steps of a complete reading, or null where some value has no role, or two have the same. */
export function finish(state: State, frames: readonly Frame[], names: Names): readonly Step[] | null {
  const drafts = resolve(state, frames);
  if (drafts === null) return null;
  const steps: Step[] = [];
  for (const draft of drafts) {
    const made = stepsOf(draft, names);
    if (made === null) return null;
    steps.push(...made);
  }
  return steps.length === 0 ? null : shareChain(steps);
}

/** Gives values without a verb to the verb they belong to, or makes a bare line of them. */
function resolve(state: State, frames: readonly Frame[]): readonly Draft[] | null {
  const asked = state.drafts;
  if (asked.length === 0) {
    if (!(state.bare || state.go) || state.loose.length === 0) return null;
    return bareLine(state.loose, frames);
  }
  if (state.loose.length === 0) return asked;
  const [first, ...more] = asked;
  if (first === undefined) return null;
  return [{ ...first, args: [...state.loose, ...first.args] }, ...more];
}

/** "20 USDC to Bob", "1 ETH -> USDC, min 3000": an amount with a party or with another asset. */
function bareLine(args: readonly Arg[], frames: readonly Frame[]): readonly Draft[] | null {
  const hasParty = args.some(({ value }) => value.type === "party" && value.party.kind !== "self");
  const id = hasParty ? "transfer" : "swap";
  const frame = frames.find((one) => one.id === id);
  const [first] = args;
  if (frame === undefined || first === undefined) return null;
  return [{ frame, verb: { word: id, span: first.span }, args, refers: false }];
}

const fixedRoles: Readonly<Record<string, Role>> = {
  "@to": "to", "@give": "give", "@asset": "give", "@chain": "chain", "@venue": "venue", "@from": "from", "@spender": "spender",
  "@get": "get", "@sell": "give", "@toChain": "toChain", "@chainFrom": "chain", "@least": "floor", "@most": "cap",
};

/** The role that a frame gives to a value, or null. */
export function roleOf(frame: Frame, { marker, bound, value }: Arg): Role | null {
  if (marker.startsWith("@")) return fieldRole(frame, marker, value.type);
  if (value.type === "amount" && bound === "least") return "floor";
  const plain = frame.roles[value.type]?.[marker] ?? null;
  if (value.type === "amount" && bound === "most") return plain === "give" || plain === null ? "cap" : plain;
  return plain ?? (marker === "->" ? (frame.roles[value.type]?.["to"] ?? null) : null);
}

function fieldRole(frame: Frame, marker: string, type: Arg["value"]["type"]): Role | null {
  const role = fixedRoles[marker] ?? null;
  if (role === "to" && type === "party") return frame.roles.party?.["to"] ?? frame.roles.party?.[""] ?? null;
  if (role === "give" && (type === "amount" || type === "asset")) return frame.roles[type]?.[""] ?? null;
  const types: Readonly<Partial<Record<Role, readonly string[]>>> = {
    chain: ["chain"], toChain: ["chain"], venue: ["venue"], from: ["party", "chain", "asset", "amount"], spender: ["party", "venue"], get: ["asset", "amount"], floor: ["amount"], cap: ["amount"],
  };
  if (role === null || types[role]?.includes(type) !== true) return null;
  return role;
}

const sameParty = (a: PartyRef, b: PartyRef): boolean =>
  a.kind === "address" && b.kind === "address" ? a.address === b.address : a.kind === "contact" && b.kind === "contact" ? a.label.toLowerCase() === b.label.toLowerCase() : a.kind === "self" && b.kind === "self" || (a.kind === "name" && b.kind === "name" && a.name === b.name) || (a.kind === "venue" && b.kind === "venue" && a.venue === b.venue);

type Slots = {
  give: Amount | null; get: Amount | null; floor: Amount | null; cap: Amount | null;
  to: PartyRef | null; from: PartyRef | null; spender: PartyRef | null; behalf: PartyRef | null; admin: PartyRef | null;
  venues: string[]; chain: { name: string; span: Span } | null; toChain: { name: string; span: Span } | null;
  slippage: bigint | null; slippageSpan: Span; deadline: bigint | null; deadlineSpan: Span;
  price: (Arg["value"] & { type: "price" }) | null; priceSpan: Span; threshold: bigint | null; each: boolean;
};

const noSlots = (): Slots => ({
  give: null, get: null, floor: null, cap: null, to: null, from: null, spender: null, behalf: null, admin: null, venues: [], chain: null, toChain: null,
  slippage: null, slippageSpan: [0, 0], deadline: null, deadlineSpan: [0, 0], price: null, priceSpan: [0, 0], threshold: null, each: false,
});

const sameAsset = (a: AssetRef | null, b: AssetRef | null): boolean =>
  a === null || b === null || (a.kind === "symbol" && b.kind === "symbol" && a.symbol === b.symbol) ||
  (a.kind === "nft" && b.kind === "nft" && a.collection?.toLowerCase() === b.collection?.toLowerCase() && (a.ids.length === 0 || b.ids.length === 0 || a.ids.join() === b.ids.join()));

const sameQuantity = (a: Quantity | null, b: Quantity | null): boolean =>
  a === null || b === null || (a.kind === "exact" && b.kind === "exact" && sameDecimal(a.n, b.n)) || (a.kind === "all" && b.kind === "all") || (a.kind === "unlimited" && b.kind === "unlimited");

/** Two mentions of one amount, or null where they differ. */
function mergeAmounts(a: Amount | null, b: Amount): Amount | null {
  if (a === null) return b;
  if (!sameAsset(a.asset, b.asset) || !sameQuantity(a.quantity, b.quantity)) return null;
  return { asset: a.asset ?? b.asset, quantity: a.quantity ?? b.quantity, each: a.each || b.each };
}

/** A contact and the address it is given elsewhere are one party. */
function mergeParties(a: PartyRef | null, b: PartyRef): PartyRef | null {
  if (a === null || sameParty(a, b)) return b.kind === "address" && b.called === undefined && a?.kind === "address" ? a : b;
  if (a.kind === "contact" && b.kind === "address" && b.called === undefined) return { ...b, called: a.label };
  if (a.kind === "contact" && b.kind === "address") return { ...b, called: a.label };
  if (b.kind === "contact" && a.kind === "address") return a.called === undefined ? { ...a, called: b.label } : a;
  return null;
}

const partyOf = (arg: Arg): PartyRef | "pronoun" | null => {
  if (arg.value.type === "venue") return { kind: "venue", venue: arg.value.venue, span: arg.span };
  if (arg.value.type !== "party") return null;
  return arg.value.party.kind === "pronoun" ? "pronoun" : arg.value.party;
};

const amountOf = ({ value }: Arg): Amount | null =>
  value.type === "amount" ? value.amount : value.type === "asset" ? { asset: value.asset, quantity: null, each: false } : null;

/** Puts one value into its slot; false where the slot already holds another. */
function fill(slots: Slots, { role, arg }: Filled): boolean {
  const { value, span } = arg;
  switch (role) {
    case "give":
    case "get":
    case "floor":
    case "cap": {
      const amount = amountOf(arg);
      const merged = amount === null ? null : mergeAmounts(slots[role], amount);
      if (merged === null) return false;
      slots[role] = merged;
      if (amount?.each === true) slots.each = true;
      return true;
    }
    case "to":
    case "from":
    case "spender":
    case "behalf":
    case "admin":
    case "replaced": {
      const party = partyOf(arg);
      if (party === "pronoun") return true;
      const key = role === "replaced" ? "from" : role;
      const merged = party === null ? null : mergeParties(slots[key], party);
      if (merged === null) return false;
      slots[key] = merged;
      return true;
    }
    case "venue":
      if (value.type !== "venue") return false;
      if (!slots.venues.includes(value.venue)) slots.venues.push(value.venue);
      return true;
    case "chain":
    case "toChain":
      if (value.type !== "chain" || (slots[role] !== null && slots[role]?.name !== value.name)) return false;
      slots[role] = { name: value.name, span };
      return true;
    case "slippage":
      if (value.type !== "slippage" || (slots.slippage !== null && slots.slippage !== value.bps)) return false;
      slots.slippage = value.bps;
      slots.slippageSpan = span;
      return true;
    case "deadline":
      if (value.type !== "deadline" || (slots.deadline !== null && slots.deadline !== value.seconds)) return false;
      slots.deadline = value.seconds;
      slots.deadlineSpan = span;
      return true;
    case "price":
      if (value.type !== "price" || slots.price !== null) return false;
      slots.price = value;
      slots.priceSpan = span;
      return true;
    case "threshold":
      if (value.type !== "count") return false;
      slots.threshold = value.n;
      return true;
    case "choice":
      return true;
  }
}

/** One group of slots per step: "5 USDC to A and 6 USDC to B" has two. */
function groups(draft: Draft, frame: Frame): readonly Slots[] | null {
  const filled: Filled[] = [];
  for (const arg of draft.args) {
    const role = roleOf(frame, arg);
    if (role === null) return null;
    filled.push({ role, arg });
  }
  const out: Slots[] = [noSlots()];
  for (const one of filled) {
    const current = out.at(-1);
    if (current === undefined || fill(current, one)) continue;
    if (frame.id !== "transfer" || (one.role !== "to" && one.role !== "give")) return null;
    const next = noSlots();
    if (!fill(next, one)) return null;
    out.push(next);
  }
  return share(out);
}

/** What a row leaves out, the others say: the asset of a list, "each", the chain. */
function share(rows: readonly Slots[]): readonly Slots[] | null {
  const [first] = rows;
  if (first === undefined || rows.length === 1) return rows;
  const asset = rows.map(({ give }) => give?.asset ?? null).find((one) => one !== null) ?? null;
  const each = rows.some((row) => row.each);
  const shared = rows.map(({ give }) => give).find((give) => give !== null) ?? null;
  for (const row of rows) {
    if (row.to === null) return null;
    if (row.give === null) {
      if (!each || shared === null) return null;
      row.give = shared;
    }
    if (row.give.asset === null) row.give = { ...row.give, asset };
    row.chain ??= rows.map(({ chain }) => chain).find((chain) => chain !== null) ?? null;
    if (row.venues.length === 0) row.venues = rows.flatMap(({ venues }) => venues).slice(0, 1);
    row.from ??= first.from;
  }
  return rows;
}

const isWhole = (amount: Amount | null): boolean => amount !== null && amount.asset !== null && amount.quantity !== null;

/** What a step must say, by frame. */
const needs: Readonly<Record<string, (slots: Slots) => boolean>> = {
  transfer: ({ give, to, get, toChain }) => give !== null && give.asset !== null && (give.quantity !== null || give.asset.kind === "nft") && to !== null && to.kind !== "venue" && get === null && toChain === null,
  swap: ({ give, get, toChain }) => give !== null && isWhole(give) && get !== null && get.asset !== null && toChain === null,
  buy: ({ get, give, cap }) => get !== null && get.asset !== null && (give !== null || cap !== null),
  supply: ({ give, get, venues, to }) => isWhole(give) && (venues.length > 0 || get !== null) && (to === null || to.kind === "self" || get !== null || venues.length > 0),
  withdraw: ({ get, venues, give }) => (get !== null || give !== null) && (venues.length > 0 || get?.asset !== null),
  borrow: ({ get, venues }) => isWhole(get) && venues.length > 0,
  repay: ({ give, venues }) => give !== null && give.asset !== null && venues.length > 0,
  bridge: ({ give, toChain }) => isWhole(give) && toChain !== null,
  approve: ({ give, spender }) => isWhole(give) && spender !== null || (give?.asset?.kind === "nft" && spender !== null),
  revoke: ({ give, spender }) => give !== null && give.asset !== null && spender !== null,
  delegate: ({ give, to }) => give !== null && to !== null,
  sell_nft: ({ give, get }) => give?.asset?.kind === "nft" && get !== null,
  add_owner: ({ admin }) => admin !== null,
  claim: ({ get, venues }) => get !== null || venues.length > 0,
};

const bounded = (amount: Amount | null, kind: "least" | "most"): Quantity | null =>
  amount?.quantity?.kind === "exact" ? { kind, n: amount.quantity.n, span: amount.quantity.span } : null;

const portions = (amount: Amount | null): readonly Portion[] => (amount === null ? [] : [{ asset: amount.asset, quantity: amount.quantity }]);

/** A floor bounds what comes in, and a cap what goes out; each must be of the asset it bounds. */
function withBounds(slots: Slots, frame: Frame): Slots | null {
  const out = { ...slots };
  if (slots.floor !== null) {
    const least = bounded(slots.floor, "least");
    if (least === null || !sameAsset(slots.get?.asset ?? null, slots.floor.asset)) return null;
    if (slots.get?.quantity != null) return null;
    const asset = slots.get?.asset ?? slots.floor.asset ?? (frame.id === "bridge" ? (slots.give?.asset ?? null) : null);
    if (asset === null) return null;
    if (frame.id === "bridge" && !sameAsset(slots.give?.asset ?? null, asset)) return null;
    out.get = { asset, quantity: least, each: false };
  }
  if (slots.cap !== null) {
    const most = bounded(slots.cap, "most");
    if (most === null || slots.give?.quantity != null || !sameAsset(slots.give?.asset ?? null, slots.cap.asset)) return null;
    out.give = { asset: slots.give?.asset ?? slots.cap.asset, quantity: most, each: false };
  }
  return out;
}

function stepsOf(draft: Draft, { chainId }: Names): readonly Step[] | null {
  const { frame } = draft;
  if (frame === null) return null;
  const rows = groups(draft, frame);
  if (rows === null) return null;
  const steps: Step[] = [];
  for (const row of rows) {
    const slots = withBounds(row, frame);
    if (slots === null || needs[frame.id]?.(slots) === false) return null;
    // "Pay her", "send it": the text must name whom and what elsewhere.
    const chain = slots.chain === null ? null : chainId(slots.chain.name);
    const toChain = slots.toChain === null ? null : chainId(slots.toChain.name);
    if ((slots.chain !== null && chain === null) || (slots.toChain !== null && toChain === null)) return null;
    const acts = frame.id === "revoke" || setsToZero(slots, frame) ? (["revoke", "approve"] as const) : frame.acts;
    steps.push({
      acts,
      verb: draft.verb,
      gives: portions(slots.give),
      gets: portions(slots.get),
      to: slots.to === null ? [] : [slots.to],
      from: slots.from?.kind === "self" ? null : slots.from,
      spender: slots.spender,
      onBehalfOf: slots.behalf,
      venues: slots.venues.map((venue) => ({ venue, mode: "on" as const, span: draft.verb.span })),
      chain: chain === null || slots.chain === null ? null : { value: chain, span: slots.chain.span },
      toChain: toChain === null || slots.toChain === null ? null : { value: toChain, span: slots.toChain.span },
      slippageBps: slots.slippage === null ? null : { value: slots.slippage, span: slots.slippageSpan },
      limitPrice: slots.price === null ? null : { n: slots.price.n, base: slots.price.base, quote: slots.price.quote, side: "least", span: slots.priceSpan },
      deadline: slots.deadline === null ? null : { kind: "within", seconds: slots.deadline, span: slots.deadlineSpan },
      gas: null,
      partialFill: null,
      admin: frame.admin === undefined ? null : { kind: frame.admin, party: slots.admin, replaced: null, threshold: slots.threshold === null ? null : { value: slots.threshold, span: draft.verb.span }, span: draft.verb.span },
      fee: null,
      conditions: [],
      span: draft.verb.span,
    });
  }
  return steps;
}

const setsToZero = ({ give }: Slots, frame: Frame): boolean => frame.id === "approve" && give?.quantity?.kind === "exact" && give.quantity.n.digits === 0n;

/** A chain named for one step holds for those beside it that name none. */
function shareChain(steps: readonly Step[]): readonly Step[] {
  const named = [...new Set(steps.flatMap(({ chain }) => (chain === null ? [] : [chain.value])))];
  const chain = steps.find((step) => step.chain !== null)?.chain ?? null;
  return named.length === 1 ? steps.map((step) => ({ ...step, chain: step.chain ?? chain })) : steps;
}
