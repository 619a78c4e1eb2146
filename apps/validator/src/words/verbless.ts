/** Requests without a verb: an amount and where it goes. "250 USDC to WETH", "0.15 ETH -> Base", "token_in=eth token_out=uni". */
import type { Act } from "../intent.ts";
import type { Group } from "./clauses.ts";
import { isOne, isPrep, itemAt, kinds, type Item } from "./items.ts";

const TRADES: readonly Act[] = ["swap", "wrap", "unwrap"];
const AMOUNTS = kinds("num,all,share,id,unlimited,vague");
const PASSED = kinds("noise,my,bound,num,scale,all,share");
const SHORT_NAME = 4;

const keyed = (items: readonly Item[], role: string): boolean =>
  items.some((item) => item.k === "key" && item.v === role);

/** Written like a name ("Aave") a venue is the venue; in one case throughout ("AAVE", "aave") it may be its token. */
const isShortName = ({ k, text }: Item): boolean =>
  text.length <= SHORT_NAME && (k === "chain" || (k === "venue" && !/^\p{Lu}\p{Ll}/u.test(text)));

/** "ARB" and "OP" are tokens and chains: in short they are the token. */
const isAsset = (item: Item): boolean =>
  item.k === "asset" ||
  item.k === "class" ||
  (item.symbol !== null && isShortName(item)) ||
  (item.k === "word" && item.symbol !== null);

const placeOf = (item: Item): readonly Act[] | null => {
  if (isAsset(item)) return TRADES;
  if (isParty(item) || item.k === "word") return ["transfer"];
  if (item.k === "chain") return ["bridge"];
  if (item.k === "venue") return ["supply", "stake", "add_liquidity", "wrap"];
  return null;
};

const after = (items: readonly Item[], at: number): Item => {
  let next = at + 1;
  while (next < at + 6 && isOne(items[next], PASSED)) next += 1;
  return itemAt(items, next);
};

const arrowActs = (items: readonly Item[]): readonly Act[] | null => {
  for (const [at, item] of items.entries()) {
    if (isPrep(item, /^from$/) && after(items, at).k === "venue")
      return ["withdraw", "unstake", "remove_liquidity", "claim"];
    if (!isPrep(item, /^(?:to|into|for|in)$/)) continue;
    const found = placeOf(after(items, at));
    const unsure = isPrep(item, /^(?:for|in)$/) && after(items, at).k === "word";
    const somewhere = isPrep(item, /^in$/) && after(items, at).k === "chain";
    if (found !== null && !unsure && !somewhere) return found;
  }
  return null;
};

const keyActs = (items: readonly Item[]): readonly Act[] | null => {
  if (keyed(items, "spender")) return ["approve"];
  if (keyed(items, "gets") && (keyed(items, "gives") || keyed(items, "amount"))) return TRADES;
  if (keyed(items, "tochain")) return ["bridge"];
  return keyed(items, "to") ? ["transfer"] : null;
};

const isRefusing = (item: Item): boolean => item.k === "bound" && /^(?:don't|do not|never)/.test(item.low);
const PARTIES = kinds("addr,name,contact");
const isParty = (item: Item): boolean => isOne(item, PARTIES);

/** "place 500 USDC with Aave", "use 500 USDC as collateral on Aave". */
const lentActs = ({ items, verb }: Group): readonly Act[] | null => {
  const pledged = items.some((item) => /^(?:as )?collateral$/.test(item.low));
  const places = (verb?.low ?? "").startsWith("plac");
  const somewhere = items.some((item) => item.k === "venue");
  return (pledged || places) && somewhere && items.some((item) => item.k === "asset")
    ? ["supply", "stake", "add_liquidity"]
    : null;
};

/** Returns the request of a group without an act, or nothing. */
export const impliedActs = (group: Group): readonly Act[] => {
  const { items } = group;
  // "Don't send more than 5 USDC to …" alone bounds a request that does not exist.
  if (items.some(isRefusing)) return [];
  const byKey = keyActs(items);
  if (byKey !== null) return byKey;
  if (!items.some((item) => isOne(item, AMOUNTS))) return items.some(isParty) ? ["transfer"] : [];
  return arrowActs(items) ?? lentActs(group) ?? (items.some(isParty) ? ["transfer"] : []);
};

/** No verb anywhere, or only one without a meaning of its own. */
export const implied = (group: Group): Group =>
  group.acts.length > 0 ? group : { ...group, acts: impliedActs(group) };
