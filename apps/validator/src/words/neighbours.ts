/** Completes a step from its neighbour: shared objects, pronouns, halves of one trade. */
import type { Act, Portion } from "../intent.ts";
import type { Made } from "./assemble.ts";
import type { Draft } from "./drafts.ts";
import { foldAgain, foldWish, isWish } from "./wishes.ts";

const isEmpty = (draft: Draft): boolean =>
  draft.gives.length === 0 &&
  draft.gets.length === 0 &&
  draft.to.length === 0 &&
  draft.spender === null &&
  draft.admin === null;

const arrives = (draft: Draft | undefined): Portion | null => {
  const portion = draft?.gets[0] ?? draft?.gives[0];
  return portion?.asset === null || portion === undefined ? null : { asset: portion.asset, quantity: null };
};

const COUNTABLE = new Set(["exact", "most", "about", "fiat", "raw"]);

/**
 * The output of the previous step: what arrives by it, or what it was allowed to take. "Approve 5 WETH, supply it" is
 * all 5.
 */
const leftBy = (draft: Draft | undefined): Portion | null => {
  const granted = draft?.gives.find(
    ({ asset, quantity }) => asset !== null && COUNTABLE.has(quantity?.kind ?? ""),
  );
  return draft?.acts[0] === "approve" && granted !== undefined ? granted : arrives(draft);
};

const MOVES: readonly Act[] = [
  "transfer",
  "bridge",
  "supply",
  "stake",
  "swap",
  "wrap",
  "unwrap",
  "add_liquidity",
  "repay",
];

/** "and send it to bob", "and bridge to Base": the object is what the step before leaves. */
const isPartOfRest = (draft: Draft): boolean => {
  const [only] = draft.gives;
  return (
    draft.gives.length === 1 &&
    only?.asset === null &&
    (only.quantity?.kind === "all" || only.quantity?.kind === "share")
  );
};

const takesOver = (one: Made, draft: Draft): boolean => {
  if (draft.gives.length > 0) return false;
  if (draft.buys) return draft.acts.includes("swap") && one.pronoun;
  return draft.acts[0] !== undefined && MOVES.includes(draft.acts[0]);
};

/** "use it to pay down my debt": what is paid off is named, what with is what the step before leaves. */
const paysOff = (one: Made, { acts, gives }: Draft): boolean =>
  acts[0] === "repay" &&
  one.pronoun &&
  gives.every(({ asset, quantity }) => asset?.kind === "class" && asset.name === "debt" && quantity === null);

const follow = (made: readonly Made[]): void => {
  const flat = made.flatMap((one) => one.drafts.map((draft) => ({ draft, one })));
  for (const [at, { draft, one }] of flat.entries()) {
    const before = leftBy(flat[at - 1]?.draft);
    if (before === null) continue;
    if (isPartOfRest(draft))
      draft.gives = draft.gives.map((portion) => ({
        asset: before.asset,
        quantity: portion.quantity?.kind === "all" ? (before.quantity ?? portion.quantity) : portion.quantity,
      }));
    else if (takesOver(one, draft) || paysOff(one, draft)) draft.gives = [before];
  }
};

/** "approve and supply 100 USDC to Aave": the first verb shares the object of the second. */
const shareObject = (first: Draft, second: Draft): void => {
  first.gives = [...second.gives];
  const [venue] = second.venues;
  if (first.acts[0] !== "approve") first.to = [...second.to];
  else if (venue !== undefined) first.spender = { kind: "venue", venue: venue.venue, span: venue.span };
  first.chain ??= second.chain;
};

/** "Grant the router just enough and swap 65 UNI": the permission is for what the next step gives. */
const isBareApproval = (draft: Draft): boolean =>
  draft.acts[0] === "approve" && draft.spender !== null && draft.gives.length === 0;

const share = (made: readonly Made[]): void => {
  for (let at = made.length - 2; at >= 0; at -= 1) {
    const [first, second] = [made[at]?.drafts[0], made[at + 1]?.drafts[0]];
    const joined = made[at + 1]?.group.joined === true;
    if (first === undefined || second === undefined) continue;
    if (joined && isEmpty(first)) shareObject(first, second);
    else if (isBareApproval(first) && second.gives.length > 0) first.gives = [...second.gives];
  }
};

/** "Sell 1 ETH and buy USDC" is one trade; a verb that says nothing and means the next one is not a step of its own. */
const isHalf = (draft: Draft, has: "gives" | "gets", lacks: "gives" | "gets"): boolean =>
  draft.acts[0] === "swap" && draft[has].length > 0 && draft[lacks].length === 0;

const isIdle = (first: Draft, second: Draft, next: Made): boolean =>
  isEmpty(first) && !next.group.joined && first.acts.some((act) => second.acts.includes(act));

const PAYS = new Set<Act | undefined>(["transfer", "swap"]);

const isOpenCost = (cost: Portion | undefined): boolean =>
  cost !== undefined && (cost.quantity === null || cost.quantity.kind === "most");

/** "buy 0.4 WETH and pay not more than 1,255 USDC": what it may cost, said with a verb of its own. */
const isCost = (a: Draft, b: Draft): boolean => {
  const open = a.buys && isHalf(a, "gets", "gives");
  const alone = PAYS.has(b.acts[0]) && b.to.length === 0 && b.gets.length === 0 && b.gives.length === 1;
  return open && alone && COSTS.test(b.verb.word) && isOpenCost(b.gives[0]);
};

const COSTS = /^(?:pay|spend|zahl|bezahl|ausgeb|pag|gast|depens|花|付|支)/;

/** "give 6,240 USDC, get at least 1.97 WETH": without a payee, it is given for the output. */
const isGiveGet = (a: Draft, b: Draft): boolean =>
  a.acts[0] === "transfer" &&
  /^(?:give|giving|offer|pay|da|dar|gib|donne)/.test(a.verb.word) &&
  a.to.length === 0 &&
  a.gives.length === 1 &&
  b.buys &&
  isHalf(b, "gets", "gives");

/** Two halves of one trade, or a purchase and what it may cost. */
const foldTrade = (a: Draft, b: Draft): boolean => {
  const given = isGiveGet(a, b);
  const [halves, cost] = [given || (isHalf(a, "gives", "gets") && isHalf(b, "gets", "gives")), isCost(a, b)];
  if (!halves && !cost) return false;
  if (given) a.acts = ["swap"];
  if (halves) a.gets = b.gets;
  else a.gives = b.gives;
  a.to = [...a.to, ...b.to];
  a.venues = [...a.venues, ...b.venues];
  a.chain ??= b.chain;
  return true;
};

/** Whether the second was folded into the first. */
const fold = (before: Made, next: Made): boolean => {
  const [a, b] = [before.drafts.at(-1), next.drafts[0]];
  if (a === undefined || b === undefined) return false;
  if (foldWish(before, next) || foldAgain(before, next) || foldTrade(a, b)) return true;
  if (isIdle(a, b, next)) {
    b.venues = [...a.venues, ...b.venues];
    b.chain ??= a.chain;
    before.drafts.pop();
  }
  return false;
};

const fuse = (made: readonly Made[]): Made[] => {
  const out: Made[] = [];
  for (const one of made) {
    const before = out.at(-1);
    if (before === undefined || !fold(before, one)) out.push(one);
  }
  return out;
};

/** "Need cash. Withdraw 50 USDC": a wish for nothing that can be named. */
const isIdleWish = (one: Made): boolean => isWish(one) && one.drafts.every(isEmpty);

export const assemble = (made: readonly Made[]): Draft[] => {
  const fused = fuse(made).filter((one, _, all) => all.length === 1 || !isIdleWish(one));
  share(fused);
  follow(fused);
  return fused.flatMap((one) => one.drafts);
};
