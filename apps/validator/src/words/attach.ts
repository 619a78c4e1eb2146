/** Attaches terms to the steps they belong to, and items to the list of hard words. */
import type { AssetRef, Intent, Portion } from "../intent.ts";
import { isAuthority, type Draft } from "./drafts.ts";
import type { Item } from "./items.ts";
import type { Term } from "./term.ts";

const sideOf = (draft: Draft, side: string | null): "least" | "most" | "exact" => {
  if (side === "least" || side === "most") return side;
  return draft.buys ? "most" : "least";
};

/** Puts a term on the step at its place: the last that began before it, otherwise the first. */
const exceptFrom = (draft: Draft, { figure }: NonNullable<Term["except"]>): void => {
  draft.gives = draft.gives.map((one) =>
    one.quantity?.kind === "all" ? { ...one, quantity: { ...one.quantity, except: figure.n } } : one,
  );
};

const addLists = (draft: Draft, term: Term): void => {
  if (term.gas !== undefined) draft.gas = { ...draft.gas, ...term.gas };
  if (term.condition !== undefined) draft.conditions = [...draft.conditions, term.condition];
  if (term.avoid !== undefined) draft.venues = [...draft.venues, { ...term.avoid, mode: "avoid" }];
  if (term.except !== undefined) exceptFrom(draft, term.except);
};

const sold = (list: readonly Portion[]): boolean => list.some((one) => one.asset?.kind === "nft");

/** "approve USDC for 0x…, limit: 40": the limit of a permission is how much it is for. */
const capped = (draft: Draft, { base, quote, n, span }: NonNullable<Term["limitPrice"]>): boolean => {
  const [only] = draft.gives;
  if (!isAuthority(draft.acts) || base !== null || draft.gives.length !== 1 || only?.quantity !== null)
    return false;
  draft.gives = [{ asset: only.asset ?? quote, quantity: { kind: "exact", n, others: [], span } }];
  return true;
};

/** "list Azuki #12 at 12 ETH": the price of one thing is what is paid for it. */
const priced = (draft: Draft, price: NonNullable<Term["limitPrice"]>): boolean => {
  if (capped(draft, price)) return true;
  if (price.quote === null || price.base !== null) return false;
  const side = sold(draft.gives) ? draft.gets : sold(draft.gets) ? draft.gives : null;
  if (side === null || side.length > 0) return false;
  side.push({ asset: price.quote, quantity: { kind: "exact", n: price.n, others: [], span: price.span } });
  return true;
};

const addOnce = (draft: Draft, term: Term): void => {
  const { slippageBps = null, deadline = null, fee = null, partialFill = null } = term;
  draft.slippageBps ??= slippageBps;
  draft.deadline ??= deadline;
  draft.fee ??= fee;
  draft.partialFill ??= partialFill;
  if (term.limitPrice !== undefined && !priced(draft, term.limitPrice))
    draft.limitPrice ??= { ...term.limitPrice, side: sideOf(draft, term.limitPrice.side) };
};

const nameOf = (asset: AssetRef | null | undefined): string | null =>
  asset?.kind === "symbol" ? asset.symbol.replace(/^W(?=ETH$|BTC$)/, "") : null;

const DOLLARS = /USD|^DAI$|^FRAX$|^GHO$|^MIM$|^DOLA$/;
const isToken = (asset: AssetRef | null): boolean => asset !== null && nameOf(asset) !== "USD";

/** Selling above a price and buying below one can be held by a minimum; any other trigger would have to be waited for. */
const isHeld = (draft: Draft, { base, quote, side }: NonNullable<Term["limitPrice"]>): boolean => {
  const name = nameOf(base);
  if (name === null) return base === null;
  const isBase = (one: Portion): boolean => nameOf(one.asset) === name;
  const quoted = (list: readonly Portion[]): boolean =>
    list.every(
      (one) =>
        nameOf(one.asset) === nameOf(quote) || (!isToken(quote) && DOLLARS.test(nameOf(one.asset) ?? "")),
    );
  if (draft.gives.some(isBase)) return side !== "most" && quoted(draft.gets);
  return draft.gets.some(isBase) && side === "most" && quoted(draft.gives);
};

/** Orders, listings, permissions and trades end; a payment does not, and a duration next to it has another meaning. */
const ENDS = new Set<string | undefined>([
  "swap",
  "sell_nft",
  "buy_nft",
  "approve",
  "revoke",
  "wrap",
  "unwrap",
]);

const settled = (draft: Draft, term: Term): Term => {
  if (term.loose === true && term.deadline !== undefined && !ENDS.has(draft.acts[0])) {
    const { span } = term.deadline;
    return { at: term.at, condition: { said: "a duration", kind: "other", span } };
  }
  const { condition, limitPrice, ...rest } = term;
  if (condition?.kind !== "price" || limitPrice === undefined || isHeld(draft, limitPrice)) return term;
  return { ...rest, condition: { ...condition, kind: "other" } };
};

export const attach = (drafts: readonly Draft[], said: Term): void => {
  const draft = drafts.findLast((one) => one.span[0] <= said.at) ?? drafts[0];
  if (draft === undefined) return;
  const term = settled(draft, said);
  addOnce(draft, term);
  addLists(draft, term);
};

export const tokensOf = (
  items: readonly Item[],
  kindOf: (item: Item) => Intent["tokens"][number]["kind"] | null,
  text: string,
): Intent["tokens"] =>
  items.flatMap((item) => {
    const kind = kindOf(item);
    return kind === null
      ? []
      : [
          {
            kind,
            text: text.slice(item.start, item.end),
            span: [item.start, item.end] as const,
            slot: item.slot,
          },
        ];
  });
