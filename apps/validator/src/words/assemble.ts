/** Groups into steps: each group's events put into slots, rows spread, what one step leaves out taken from its neighbour. */
import type { Act, Portion, Span, Step } from "../intent.ts";
import { adminOf } from "./admin.ts";
import type { Group } from "./clauses.ts";
import { isTrade, newDraft, slotOf, type Draft, type Filling } from "./drafts.ts";
import { eventsOf, type Event } from "./events.ts";
import { isOne, isPrep, kinds } from "./items.ts";
import { place } from "./place.ts";
import { spread, toRows } from "./rows.ts";

export type Made = { readonly drafts: Draft[]; readonly group: Group; readonly pronoun: boolean };
type Ambiguity = Filling["ambiguities"][number];

const bodySpan = (group: Group): Span => [group.items[0]?.start ?? 0, group.items.at(-1)?.end ?? 0];

const isNft = (portion: Portion): boolean =>
  portion.asset?.kind === "nft" || (portion.asset?.kind === "class" && portion.asset.name === "nft");

const promote = (acts: readonly Act[], first: readonly Act[]): readonly Act[] => [
  ...first,
  ...acts.filter((act) => !first.includes(act)),
];

const isWrapPair = (draft: Draft): Act | null => {
  const name = (portion: Portion | undefined): string | null =>
    portion?.asset?.kind === "symbol" ? portion.asset.symbol : null;
  const [give, get] = [name(draft.gives[0]), name(draft.gets[0])];
  if (give === null || get === null || draft.gives.length !== 1 || draft.gets.length !== 1) return null;
  if (get === `W${give}`) return "wrap";
  return give === `W${get}` ? "unwrap" : null;
};

/** Refines the verb by its slots: a send to a chain is a bridge, a send to a venue a supply, ETH to WETH a wrap. */
const toVenue = (event: Event): boolean => event.k === "venue" && /^(?:to|into|in)$/.test(event.prep ?? "");

const isNamed = (draft: Draft): boolean =>
  draft.to.some((party) => party.kind === "address" || party.kind === "name");

const isZero = (portion: Portion | undefined): boolean =>
  portion?.quantity?.kind === "exact" && portion.quantity.n.digits === 0n;

const placeActs = (draft: Draft, events: readonly Event[]): readonly Act[] => {
  if (draft.acts[0] !== "transfer") return [];
  const lends: readonly Act[] =
    !isNamed(draft) && events.some(toVenue) ? ["supply", "stake", "add_liquidity"] : [];
  const trades: readonly Act[] =
    draft.gets.length > 0 && !draft.gets.every(isNft) ? ["swap", "wrap", "unwrap"] : [];
  const buys: readonly Act[] = draft.gets.length > 0 && draft.gets.every(isNft) ? ["buy_nft"] : [];
  return [...buys, ...lends, ...trades];
};

const tradeActs = (draft: Draft): readonly Act[] => {
  if (!draft.acts.includes("swap")) return [];
  const pair = isWrapPair(draft);
  const buys: readonly Act[] = draft.acts[0] === "swap" && draft.gets.some(isNft) ? ["buy_nft"] : [];
  // Moving an NFT somewhere is no sale; naming a price for it is.
  const priced = draft.acts[0] === "swap" || draft.gets.length > 0;
  const sells: readonly Act[] = priced && draft.gives.some(isNft) ? ["sell_nft"] : [];
  return [...(pair === null ? [] : [pair]), ...buys, ...sells];
};

/** Acts that the slots put first. */
const suggested = (draft: Draft, events: readonly Event[]): readonly Act[] => {
  const crosses: readonly Act[] = draft.toChain === null ? [] : ["bridge"];
  const clears: readonly Act[] = draft.acts[0] === "approve" && isZero(draft.gives[0]) ? ["revoke"] : [];
  return [...crosses, ...placeActs(draft, events), ...tradeActs(draft), ...clears];
};

/** "Some ARB for 0.02 WBTC": how much comes follows from what is given. */
const dropVague = (draft: Draft): void => {
  const told = draft.gives.some((one) => one.quantity !== null && one.quantity.kind !== "vague");
  if (!isTrade(draft.acts) || !told) return;
  draft.gets = draft.gets.map((one) => (one.quantity?.kind === "vague" ? { ...one, quantity: null } : one));
};

/** "以 6 ETH 挂售我的 Azuki #77": money said before the piece that is listed is its price. */
const priceFirst = (draft: Draft): void => {
  const [price, piece, ...more] = draft.gives;
  if (draft.acts[0] !== "sell_nft" || price?.asset?.kind !== "symbol" || piece === undefined) return;
  if (!isNft(piece) || more.length + draft.gets.length > 0 || price.quantity === null) return;
  draft.gives = [piece];
  draft.gets = [price];
};

/** Refines the verb by its slots: a send to a chain is a bridge, a send to a venue a supply, ETH to WETH a wrap. */
const refine = (draft: Draft, events: readonly Event[]): void => {
  dropVague(draft);
  priceFirst(draft);
  if (draft.acts[0] !== "admin") draft.acts = promote(draft.acts, suggested(draft, events));
};

const sharingOf = (group: Group): "each" | "evenly" | null => {
  if (group.items.some((item) => item.k === "each")) return "each";
  const divides = /^(?:split|divid|shar|distribut|dispers|repart|divid|aufteil|teil)/.test(
    group.verb?.low ?? "",
  );
  const between = group.items.some(
    (item) => item.k === "evenly" || (item.k === "prep" && item.v === "between"),
  );
  return divides || between ? "evenly" : null;
};

const verbOf = (group: Group): Step["verb"] => {
  const item = group.verb;
  if (item !== null) return { word: item.low, span: [item.start, item.end] };
  return { word: "", span: [group.items[0]?.start ?? 0, group.items[0]?.start ?? 0] };
};

const inheritAsset = (rows: readonly Draft[]): void => {
  for (const [at, row] of rows.entries()) {
    const before = rows[at - 1]?.gives[0]?.asset;
    row.gives = row.gives.map((one) =>
      one.asset === null && before !== undefined ? { ...one, asset: before } : one,
    );
  }
};

/** A swap said twice under one verb: "swap 1 ETH for USDC and 2 ETH for DAI". */
const restarts = (event: Event, sides: number): boolean =>
  event.k === "portion" &&
  event.listed &&
  event.prep === null &&
  sides >= 2 &&
  event.said.bound === null &&
  event.said.asset !== null;

const tradeRows = (events: readonly Event[], acts: readonly Act[]): readonly (readonly Event[])[] => {
  if (acts[0] !== "swap") return [events];
  const rows: Event[][] = [[]];
  let sides = 0;
  for (const event of events) {
    if (restarts(event, sides)) {
      rows.push([]);
      sides = 0;
    }
    if (event.k === "portion") sides += event.prep === null && sides === 1 ? 0 : 1;
    rows.at(-1)?.push(event);
  }
  return rows;
};

/** "Use 500 USDC to buy ETH": a portion before the verb is spent if the verb has its own object after it. */
const spentFirst = (events: readonly Event[], getsObject: boolean): readonly Event[] => {
  const object = events.some((event) => event.k === "portion" && !event.early && event.prep === null);
  if (!getsObject || !object) return events;
  return events.map((event) =>
    event.k === "portion" && event.early && event.prep === null ? { ...event, prep: "with" } : event,
  );
};

type PortionEvent = Event & { k: "portion" };
const isPortion = (event: Event): event is PortionEvent => event.k === "portion";

/** "I'd rather hold DAI. Swap 3 ETH for DAI": an asset named before a trade that has its own object is what it is wished for. */
const wished = (event: Event, object: boolean, far: boolean): Event | null => {
  if (!isPortion(event) || !event.early || event.prep !== null || event.said.pronoun === true) return event;
  if (event.said.bound === "least") return { ...event, prep: "into" };
  if (!object || event.said.quantity !== null || event.said.asset === null) return event;
  if (!far) return { ...event, prep: "into" };
  slotOf(event, "note");
  return null;
};

/** "vende 3 ETH, quiero USDC": a second asset without an amount is the output if no other output is named. */
const wishedAfter = (event: Event): Event => {
  if (!isPortion(event) || event.early || !event.listed || event.prep !== null) return event;
  const bare = event.said.quantity === null && event.said.asset?.kind === "symbol";
  return bare ? { ...event, prep: "into" } : event;
};

const isLaterObject = (event: Event): boolean =>
  isPortion(event) &&
  !event.early &&
  event.prep === null &&
  (event.said.quantity === null || event.said.bound === "least");

/** "1000 USDC 换 WETH": the input is before the verb, and after it are only assets without an amount. */
const isWholeObject = ({ prep, said }: PortionEvent, later: readonly PortionEvent[]): boolean =>
  prep === null &&
  said.asset !== null &&
  said.quantity !== null &&
  later.length > 0 &&
  later.every(
    (one) => (one.said.quantity === null || one.said.bound === "least") && one.said.asset?.kind === "symbol",
  );

const settleEarly = (
  events: readonly Event[],
  acts: readonly Act[],
  getsObject: boolean,
): readonly Event[] => {
  if (getsObject || acts[0] !== "swap") return events;
  const later = events.filter(isPortion).filter((event) => !event.early);
  const object = later.some(
    ({ prep, said }) => prep === null && said.asset !== null && said.quantity !== null,
  );
  const far = later.some(({ prep, said }) => /^(?:for|into|to)$/.test(prep ?? "") && said.asset !== null);
  const settled = events.flatMap((event) => wished(event, object, far) ?? []);
  if (far) return settled;
  // "用 0.5 WETH 兑换 USDC": the input comes before the verb, so the object is the output.
  const used = events.some(
    (event) => isPortion(event) && event.early && (event.prep === "with" || isWholeObject(event, later)),
  );
  if (used) return settled.map((event) => (isLaterObject(event) ? { ...event, prep: "into" } : event));
  return object ? settled.map(wishedAfter) : settled;
};

const fill = (group: Group, said: readonly Event[], ambiguities: Ambiguity[]): Draft[] => {
  const admin = adminOf(group);
  const draft = newDraft(admin === null ? group.acts : ["admin"], verbOf(group), bodySpan(group));
  if (admin !== null) draft.admin = { kind: admin.kind, party: null, span: admin.span };
  const getsObject = group.verb?.mark?.flags.includes("gets") === true;
  const filling: Filling = { draft, getsObject, ambiguities };
  draft.buys = getsObject;
  const events = settleEarly(spentFirst(said, getsObject), group.acts, getsObject);
  for (const event of events) place(filling, event);
  refine(draft, events);
  return spread(filling, sharingOf(group));
};

const isPronoun = (event: Event): boolean => event.k === "portion" && event.said.pronoun === true;

/** "run payroll: 5 DAI to 0x…": a word that only heads a list of exact recipients is not a party. */
const withoutHeads = (events: readonly Event[]): readonly Event[] => {
  const exact = events.some(
    (event) => event.k === "party" && event.prep !== null && /^(?:address|name)$/.test(event.party.kind),
  );
  if (!exact) return events;
  return events.filter(
    (event) =>
      event.k !== "party" ||
      event.prep !== null ||
      event.party.kind !== "contact" ||
      /^\p{Lu}/u.test(event.party.label),
  );
};

const LATER = kinds("then");
const SOMEBODY = kinds("addr,name,contact");

/** "swap 1 WETH into DAI, then 1590 DAI to 0x…": the second request leaves its verb out. */
const withoutVerb = (group: Group): readonly Group[] => {
  const at = group.acts[0] === "swap" ? group.items.findLastIndex((item) => isOne(item, LATER)) : -1;
  const [first, rest] = [group.items.slice(0, at), group.items.slice(at + 1)];
  const pays =
    at > 0 &&
    first.some((item) => item === group.verb) &&
    rest[0]?.k === "num" &&
    rest.some((item, index) => isPrep(item, /^(?:to|into)$/) && isOne(rest[index + 1], SOMEBODY));
  return pays
    ? [
        { ...group, items: first },
        { verb: null, acts: ["transfer"], items: rest, joined: false },
      ]
    : [group];
};

const made = (group: Group, events: readonly Event[], ambiguities: Ambiguity[]): Draft[] => {
  const paid = group.acts[0] === "transfer" || group.acts[0] === "approve";
  const rows = paid ? toRows(withoutHeads(events)) : tradeRows(events, group.acts);
  const drafts = rows.flatMap((row) => fill(group, row, ambiguities));
  inheritAsset(drafts);
  return drafts;
};

export const makeSteps = (
  group: Group,
  chainId: (phrase: string) => number | null,
  ambiguities: Ambiguity[],
): Made => {
  const parts = withoutVerb(group).map((part) => ({ part, events: eventsOf(part, chainId) }));
  const events = parts.flatMap((one) => one.events);
  const drafts = parts.flatMap((one) => made(one.part, one.events, ambiguities));
  const pronouns = events.filter(isPronoun);
  for (const item of pronouns.flatMap((event) => event.items)) item.slot ??= "gives";
  return { drafts, group, pronoun: pronouns.length > 0 };
};
