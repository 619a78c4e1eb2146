/**
 * A number that a slot took must be in the resulting step. A number that was taken and then left out (a second bound,
 * a count next to a change of owners) is returned, so that the transaction is searched for it, and rejected if
 * nothing answers it.
 */
import type { Decimal, Span } from "../intent.ts";
import type { Draft } from "./drafts.ts";
import type { Item } from "./items.ts";
import { sameDecimal } from "./numbers.ts";

const MONEY = new Set<string | null>(["gives", "gets", "admin", "asset"]);

const spansOf = (draft: Draft): readonly Span[] => {
  const said = [...draft.gives, ...draft.gets].flatMap(({ asset, quantity }) => [
    ...(asset === null ? [] : [asset.span]),
    ...(quantity === null ? [] : [quantity.span]),
  ]);
  const terms = [draft.limitPrice, draft.slippageBps, draft.deadline, draft.fee, draft.admin?.threshold];
  return [...said, ...terms.flatMap((term) => (term == null ? [] : [term.span]))];
};

const holds = ([from, to]: Span, item: Item): boolean => from <= item.start && item.end <= to;

/** "all but 0.1 ETH": what is left behind is held as a number without its place. */
const leftBehind = (draft: Draft): readonly Decimal[] =>
  draft.gives.flatMap(({ quantity }) =>
    quantity?.kind === "all" && quantity.except !== null ? [quantity.except] : [],
  );

const idsOf = (draft: Draft): readonly string[] =>
  [...draft.gives, ...draft.gets].flatMap(({ asset }) =>
    asset?.kind === "nft" ? asset.ids.map(String) : [],
  );

/** The number of a standard names it: "via 7702". */
const isStandard = (item: Item): boolean => item.text === "7702";

/** Frees the numbers that no step holds. */
export const giveBack = (items: readonly Item[], drafts: readonly Draft[]): void => {
  if (drafts.length === 0) return;
  const spans = drafts.flatMap(spansOf);
  const left = drafts.flatMap(leftBehind);
  const ids = new Set(drafts.flatMap(idsOf));
  const isKept = (item: Item): boolean =>
    isStandard(item) ||
    ids.has(item.text) ||
    left.some((n) => item.read !== null && sameDecimal(n, item.read.n)) ||
    spans.some((span) => holds(span, item));
  for (const item of items) if (item.k === "num" && MONEY.has(item.slot) && !isKept(item)) item.slot = null;
};
