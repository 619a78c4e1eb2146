/** Decides where a portion belongs: to the input or the output, and how it joins the portions before. */
import type { AssetRef, Portion } from "../intent.ts";
import { isAuthority, isTrade, sameAsset, slotOf, spanOf, type Draft, type Filling } from "./drafts.ts";
import type { Event } from "./events.ts";
import { compareDecimals, toWhole } from "./numbers.ts";

type PortionEvent = Event & { k: "portion" };
type Role = "gives" | "gets";

const KEY_ROLE: Readonly<Record<string, "gives" | "gets">> = {
  "key:gives": "gives",
  "key:gets": "gets",
  "key:least": "gets",
  "key:most": "gives",
};

/** Fields of a trade that elsewhere name people. */
const TRADE_KEYS: Readonly<Record<string, Role | undefined>> = { "key:to": "gets", "key:from": "gives" };

const PAYS = /^(?:for|with|on|from|by|in)$/;
const RECEIVES = /^(?:for|into|to|on|in|as|between)$/;

const tradeRole = ({ draft, getsObject }: Filling, event: PortionEvent): Role => {
  const prep = event.prep ?? "";
  const [object, far] = getsObject ? ([draft.gets, "most"] as const) : ([draft.gives, "least"] as const);
  // A bound without a preposition, once the object is named, is about the other side.
  const other = prep === "" && object.length > 0 && event.said.bound === far;
  if (getsObject) return PAYS.test(prep) || other ? "gives" : "gets";
  const fills = prep === "with" && draft.gives.length > 0;
  return fills || RECEIVES.test(prep) || other ? "gets" : "gives";
};

const ONE_SIDED = new Set<string | undefined>(["approve", "revoke", "add_liquidity", "repay"]);

const isOtherMinimum = (draft: Draft, { said }: PortionEvent): boolean =>
  said.bound === "least" && said.asset !== null && !sameAsset(said.asset, draft.gives[0]?.asset ?? null);

/** An amount next to an NFT that is listed is its price. */
const isPriceOf = ({ acts, gives }: Draft, { said }: PortionEvent): boolean =>
  acts[0] === "sell_nft" && isNft(gives[0]) && said.asset?.kind === "symbol" && said.quantity !== null;

/** The least that comes out on the other side of a bridge. */
const isArriving = (draft: Draft, { said }: PortionEvent): boolean =>
  mayShrink(draft) && said.bound === "least" && draft.gives.length > 0;

const objectRole = ({ draft, getsObject }: Filling, event: PortionEvent): Role => {
  const prep = event.prep ?? "";
  const [act] = draft.acts;
  if (isArriving(draft, event)) return "gets";
  if (getsObject)
    return /^(?:with|against)$/.test(prep) || (prep === "for" && act !== "withdraw") ? "gives" : "gets";
  if (ONE_SIDED.has(act) || draft.gives.length === 0) return "gives";
  const comes = /^(?:into|for|as|to)$/.test(prep) || isPriceOf(draft, event) || isOtherMinimum(draft, event);
  return comes ? "gets" : "gives";
};

const OBJECT_KEYS = /^key:(?:amount|token|nft)$/;

const roleOf = (filling: Filling, event: PortionEvent): Role => {
  const keyed = KEY_ROLE[event.prep ?? ""];
  if (keyed !== undefined) return keyed;
  if (OBJECT_KEYS.test(event.prep ?? "")) return filling.getsObject ? "gets" : "gives";
  if (!isTrade(filling.draft.acts)) return objectRole(filling, event);
  return TRADE_KEYS[event.prep ?? ""] ?? tradeRole(filling, event);
};

/** Joins a quantity and an asset that are apart: "500 bucks in USDC", "Amount: 100; Token: USDC". */
const OPEN_KINDS = new Set(["fiat", "unlimited", "share", "all"]);
const isKeyed = (event: Event): boolean => event.prep?.startsWith("key:") === true;

const mayTakeAsset = (last: Portion, event: Event): boolean => {
  const open = last.quantity !== null && OPEN_KINDS.has(last.quantity.kind);
  return (
    last.asset === null &&
    last.quantity !== null &&
    (isKeyed(event) || open || event.prep === "in" || event.prep === "of")
  );
};

/** `only`: nothing else moves, so a number after a comma is its amount: "permit USDC to 0x…, value 35". */
const mayTakeQuantity = (last: Portion, event: Event, only: boolean): boolean =>
  last.asset !== null && last.quantity === null && (isKeyed(event) || !event.listed || only);

const merged = ({ draft }: Filling, list: Portion[], portion: Portion, event: Event): boolean => {
  const last = list.at(-1);
  if (last === undefined || (portion.asset === null) === (portion.quantity === null)) return false;
  const only = !isTrade(draft.acts) && draft.gives.length + draft.gets.length === 1;
  const takes = portion.asset === null ? mayTakeQuantity(last, event, only) : mayTakeAsset(last, event);
  if (takes)
    list[list.length - 1] = {
      asset: last.asset ?? portion.asset,
      quantity: last.quantity ?? portion.quantity,
    };
  return takes;
};

/** The same asset said again with a bound: "buy LINK with ETH, at most 2 ETH". */
const isBounding = (event: PortionEvent): boolean =>
  event.said.bound === "most" ||
  event.said.bound === "least" ||
  /^key:(?:least|most)$/.test(event.prep ?? "");

/** Said in passing, as an afterthought to an asset that had no amount: "swap eth for link, 0.5 eth". */
const isAfterthought = (portion: Portion, event: Event): boolean =>
  portion.asset !== null &&
  portion.quantity !== null &&
  (event.listed || event.prep === null || event.prep === "of" || event.prep === "key:amount");

/** "asset: USDC (0x…), amount: 415 USDC": named with its contract, and then by its name alone. */
const isAgain = (one: Portion, portion: Portion): boolean =>
  one.asset?.kind === "address" &&
  one.asset.span[1] - one.asset.span[0] > ADDRESS_LENGTH &&
  portion.asset?.kind === "symbol";
const ADDRESS_LENGTH = 44;

const fits = (one: Portion, portion: Portion): boolean =>
  sameAsset(one.asset, portion.asset) ||
  (one.quantity === null && isAgain(one, portion)) ||
  (portion.asset === null && one.quantity === null);

/** "raise the allowance for WETH to 5 WETH". */
const isRaised = ({ acts }: Draft, { asset, quantity }: Portion): boolean =>
  isAuthority(acts) && asset !== null && quantity !== null;

const bounded = ({ draft }: Filling, portion: Portion, event: PortionEvent): boolean => {
  const bounding = isBounding(event);
  if (!bounding && !isRaised(draft, portion) && !isAfterthought(portion, event)) return false;
  for (const role of ["gives", "gets"] as const) {
    const list = draft[role];
    const at = list.findIndex((one) => fits(one, portion) && (bounding || one.quantity === null));
    const found = list[at];
    if (found === undefined) continue;
    if (found.quantity === null)
      list[at] = { asset: found.asset ?? portion.asset, quantity: portion.quantity };
    else if (!isWithin(found.quantity, portion.quantity) || mayShrink(draft)) return false;
    slotOf(event, found.quantity === null ? role : "bound");
    return true;
  }
  return false;
};

/** A transfer to another chain arrives less its fee: there a minimum is about what arrives, never about what was sent. */
const mayShrink = ({ acts, toChain }: Draft): boolean => acts[0] === "bridge" || toChain !== null;

/** A bound on an earlier amount may be left out only if that amount keeps it. */
const isWithin = (said: Portion["quantity"], bound: Portion["quantity"]): boolean => {
  if (said === null || bound === null || !("n" in said) || !("n" in bound)) return true;
  if (typeof said.n === "bigint" || typeof bound.n === "bigint") return true;
  const order = compareDecimals(said.n, bound.n);
  return bound.kind === "least" ? order >= 0 : order <= 0;
};

const CLASSES_DROPPED = new Set(["token", "rewards", "position", "debt", "nft"]);

const isBareClass = (portion: Portion): boolean =>
  portion.asset?.kind === "class" && CLASSES_DROPPED.has(portion.asset.name);

const isNamed = (portion: Portion): boolean => portion.asset !== null && portion.asset.kind !== "class";

/** A class adds nothing next to a named asset: "my UNI rewards", "100 USDC loan". */
const isSuperfluous = (list: readonly Portion[], portion: Portion): boolean =>
  isBareClass(portion) && list.some(isNamed);

const replaceClass = (list: Portion[]): void => {
  const [only] = list;
  if (list.length === 1 && only !== undefined && isBareClass(only) && only.quantity === null) list.pop();
};

const isNft = (portion: Portion | undefined): boolean => portion?.asset?.kind === "nft";

const collectionOf = (asset: AssetRef): string | null => {
  if (asset.kind === "nft") return asset.collection;
  if (asset.kind === "symbol") return asset.symbol;
  return asset.kind === "address" ? asset.address : null;
};

const idIn = (portion: Portion, event: PortionEvent): bigint | null =>
  event.prep === "key:nft" && portion.asset === null && portion.quantity?.kind === "exact"
    ? toWhole(portion.quantity.n)
    : null;

/** "nft: BAYC, id: 547": a number in a field for an NFT is its id, and joins the collection next to it. */
const asId = (list: Portion[], portion: Portion, event: PortionEvent): boolean => {
  const id = idIn(portion, event);
  if (id === null) return false;
  const last = list.pop()?.asset ?? null;
  const ids = last?.kind === "nft" ? [...last.ids, id] : [id];
  const collection = last === null ? null : collectionOf(last);
  list.push({ asset: { kind: "nft", collection, ids, span: last?.span ?? spanOf(event) }, quantity: null });
  return true;
};

/** The collection after its id: "id: 547, collection: BAYC". */
const namesCollection = (list: Portion[], portion: Portion, event: PortionEvent): boolean => {
  const last = list.at(-1)?.asset;
  const { asset } = portion;
  if (event.prep !== "key:nft" || last?.kind !== "nft" || last.collection !== null || asset === null)
    return false;
  const collection = collectionOf(asset);
  list[list.length - 1] = { asset: { ...last, collection }, quantity: null };
  return true;
};

/** "collection 0x…, token id 1133": the id behind an address that stands for a token. */
const isOfBefore = (list: Portion[], { asset, quantity }: Portion): boolean => {
  const last = list.at(-1);
  if (asset?.kind !== "nft" || asset.collection !== null || last?.asset?.kind !== "address") return false;
  if (last.quantity !== null) return false;
  list[list.length - 1] = { asset: { ...asset, collection: last.asset.address }, quantity };
  return true;
};

const addToRole = (filling: Filling, event: PortionEvent, portion: Portion): void => {
  const role = roleOf(filling, event);
  const list = filling.draft[role];
  if (isSuperfluous(list, portion)) {
    slotOf(event, role);
    return;
  }
  if (bounded(filling, portion, event)) return;
  slotOf(event, role);
  if (asId(list, portion, event) || namesCollection(list, portion, event) || isOfBefore(list, portion))
    return;
  if (merged(filling, list, portion, event)) return;
  replaceClass(list);
  list.push(portion);
};

export const addPortion = (filling: Filling, event: PortionEvent): void => {
  const { said } = event;
  if (said.pronoun === true) return;
  if (filling.draft.acts[0] === "admin") slotOf(event, "admin");
  else if (said.worthOf !== undefined) addWorth(filling, event);
  else addToRole(filling, event, { asset: said.asset, quantity: boundedByKey(said.quantity, event.prep) });
};

const boundedByKey = (quantity: Portion["quantity"], prep: string | null): Portion["quantity"] => {
  if (quantity?.kind !== "exact") return quantity;
  if (prep === "key:least") return { kind: "least", n: quantity.n, span: quantity.span };
  if (prep === "key:most") return { kind: "most", n: quantity.n, span: quantity.span };
  return quantity;
};

/** "Buy 500 USDC worth of ETH" spends USDC; "sell 500 USDC worth of ETH" asks for it. */
const addWorth = (filling: Filling, event: PortionEvent): void => {
  const { said } = event;
  const price: Portion = { asset: said.asset, quantity: said.quantity };
  const bought: Portion = { asset: said.worthOf ?? null, quantity: null };
  slotOf(event, "gives");
  if (filling.getsObject || event.prep === "into" || event.prep === "for") {
    filling.draft.gives.push(price);
    filling.draft.gets.push(bought);
  } else if (isTrade(filling.draft.acts)) {
    filling.draft.gives.push(bought);
    filling.draft.gets.push(price);
  } else {
    filling.draft.gives.push(bought);
    filling.ambiguities.push({
      said: "an amount of one asset, priced in another",
      readings: ["the priced asset", "the pricing asset"],
      span: spanOf(event),
    });
  }
};
