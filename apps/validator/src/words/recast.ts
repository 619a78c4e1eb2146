/**
 * Refines a weak verb by its context: "0xabc gets 5 USDC" pays, "cash out from Aave" withdraws, "take it over
 * to Base" bridges. Strong verbs stay as they are.
 */
import type { Act } from "../intent.ts";
import type { Group } from "./clauses.ts";
import { isOne, isPrep, itemAt, kinds, type Item } from "./items.ts";
import { isLabel } from "./labels.ts";

type Rule = (group: Group, verb: Item) => Group | null;

const flagged = (verb: Item, flag: string): boolean => verb.mark?.flags.includes(flag) === true;

const isParty = (item: Item): boolean => item.k === "addr" || item.k === "name" || item.k === "contact";
const SMALL = kinds("noise,my,punct");
const PASSED = kinds("noise,my");

const withActs = (group: Group, acts: readonly Act[]): Group => ({ ...group, acts: [...new Set(acts)] });

/** The same verb, its object now what arrives or no longer that. */
const asGets = (group: Group, verb: Item, gets: boolean): Group => {
  const { mark } = verb;
  if (mark === null) return group;
  const flags = mark.flags.filter((flag) => flag !== "gets");
  const again: Item = { ...verb, mark: { ...mark, flags: gets ? [...flags, "gets"] : flags } };
  return { ...group, verb: again, items: group.items.map((item) => (item === verb ? again : item)) };
};

const preposition = (before: Item, v: string): Item => ({
  ...before,
  k: "prep",
  v,
  text: "",
  low: v,
  end: before.start,
  mark: null,
  read: null,
  symbol: null,
  slot: "note",
  skip: false,
});

const nextPlace = (items: readonly Item[], at: number): number => {
  let next = at + 1;
  while (next < at + 5 && isOne(items[next], PASSED)) next += 1;
  return next;
};

const after = (items: readonly Item[], role: RegExp, wanted: (item: Item) => boolean): boolean =>
  items.some((item, at) => isPrep(item, role) && wanted(itemAt(items, nextPlace(items, at))));

const isContact = (item: Item): boolean => item.k === "word" && item.slot !== "note" && item.symbol === null;
const isSomebody = (item: Item): boolean => isParty(item) || isContact(item);

const namesParty = (items: readonly Item[]): boolean =>
  items.some(isParty) || after(items, /^(?:to|key:to)$/, isContact);

const THIRD = /^(?:he|she|they)$/;

/** Where the receiver is named before the verb; -1: none, -2: "he". */
const subjectAt = (items: readonly Item[], verb: number): number => {
  for (let at = verb - 1; at >= Math.max(0, verb - 12); at -= 1) {
    const item = itemAt(items, at);
    if (isSomebody(item)) return at;
    if (THIRD.test(item.low)) return -2;
    if (!isOne(item, SMALL) && !isPrep(item, /^to$/) && item.k !== "verb" && item.k !== "purpose") return -1;
  }
  return -1;
};

const labelStart = (items: readonly Item[], at: number): number => {
  let from = at;
  while (from > 0 && from > at - 4 && isContact(itemAt(items, from - 1)) && !isParty(itemAt(items, at)))
    from -= 1;
  return from > 0 && itemAt(items, from - 1).k === "my" ? from - 1 : from;
};

const receives: Rule = (group, verb) => {
  const wish = flagged(verb, "want");
  if (!flagged(verb, "receives") && !wish) return null;
  const { items } = group;
  const at = items.indexOf(verb);
  const subject = subjectAt(items, at);
  // "My portfolio needs DAI" pays no one; "0xabc needs 15 LINK" does.
  if (wish && !isParty(itemAt(items, subject))) return null;
  const paid = asGets(withActs(group, ["transfer"]), verb, false);
  if (subject >= 0) {
    const from = labelStart(items, subject);
    const named = itemAt(items, from);
    paid.items.splice(from, 0, preposition(named, "to"));
    return paid;
  }
  const handed = after(items.slice(at), /^(?:to|key:to)$/, isSomebody) && !after(items, /^from$/, isVenue);
  return subject === -2 || handed ? paid : null;
};

const AUTHORITY = /allowance|approval|permission|access/;
const HAVE = /^(?:have|get|receive)$/;

/** "Let Ann have 50 USDC". */
const letsHave: Rule = (group, verb) => {
  if (!/^(?:let|allow)/.test(verb.low) || !group.items.some((item) => HAVE.test(item.low))) return null;
  if (group.items.some((item) => AUTHORITY.test(item.low))) return null;
  const at = group.items.indexOf(verb) + 1;
  const items = [
    ...group.items.slice(0, at),
    preposition(itemAt(group.items, at), "to"),
    ...group.items.slice(at),
  ];
  return { ...withActs(group, ["transfer"]), items };
};

const NO_LABEL = kinds("asset,prep");

/** "50 USDC to my savings": the receiver, though the word can also mean a balance. */
const asLabel: Rule = (group) => {
  if (group.acts[0] !== "transfer") return null;
  const items = group.items.map((item, at) => {
    const before = itemAt(group.items, itemAt(group.items, at - 1).k === "my" ? at - 2 : at - 1);
    const named = item.k === "balance" && !isOne(group.items[at + 1], NO_LABEL);
    return named && isPrep(before, /^(?:to|into)$/) ? { ...item, k: "word" } : item;
  });
  return { ...group, items };
};

const isVenue = (item: Item): boolean => item.k === "venue";

const isDebt = (item: Item): boolean =>
  (item.k === "class" && item.v === "debt") ||
  (item.k !== "verb" && /^(?:borrow|borrowed|borrowing|debt|loan)$/.test(item.low));

const owed: Rule = (group, verb) => {
  if (group.acts[0] !== "transfer" || flagged(verb, "receives") || !group.items.some(isDebt)) return null;
  return namesParty(group.items) ? withActs(group, [...group.acts, "repay"]) : withActs(group, ["repay"]);
};

/** "Rembourse 48 DAI à Théo", "clear invoice 7: 20 USDC to 0x…": without a venue it is a person who is paid. */
const settles: Rule = (group) => {
  const { acts, items } = group;
  if (acts[0] !== "repay" || items.some(isVenue) || items.some((item) => item.k === "my")) return null;
  const named = after(items, /^(?:to|key:to)$/, isParty) || items.some(isLabel);
  return named ? withActs(group, ["transfer", ...acts]) : null;
};

/** "I need 10k USDT sitting in 0x…": an amount wanted at an address is sent there. */
const wantedAt: Rule = (group, verb) => {
  const { items } = group;
  if (!flagged(verb, "want") || items.some(isVenue)) return null;
  const there = after(items.slice(items.indexOf(verb)), /^to$/, (item) => isParty(item));
  return there ? asGets(withActs(group, ["transfer"]), verb, false) : null;
};

const ARTICLE = /^(?:a|an|some|un|una|um|uma|une|ein|eine|einen)$/;

/** "buy 0x… a coffee: 5 USDC": a treat is a payment. */
const treats: Rule = (group, verb) => {
  const { items } = group;
  const at = items.indexOf(verb);
  const [who, article, what] = [1, 2, 3].map((step) => itemAt(items, at + step));
  if (!flagged(verb, "gets") || group.acts[0] !== "swap" || who === undefined || !isParty(who)) return null;
  if (!ARTICLE.test(article?.low ?? "") || what?.k !== "word" || what.symbol === what.text) return null;
  return asGets(withActs(group, ["transfer"]), verb, false);
};

/** "withdraw my accrued COMP rewards". */
const rewarded: Rule = (group) =>
  group.acts[0] === "withdraw" && group.items.some((item) => item.k === "class" && item.v === "rewards")
    ? withActs(group, ["claim", ...group.acts])
    : null;

const paidBack: Rule = (group) => {
  const { acts, items } = group;
  if (acts[0] !== "repay" || !acts.includes("transfer")) return null;
  const paysSomebody = namesParty(items) && !items.some(isVenue);
  return withActs(group, paysSomebody ? ["transfer", "repay"] : ["repay"]);
};

const OUT: readonly Act[] = ["withdraw", "unstake", "remove_liquidity", "claim"];
const IN: readonly Act[] = ["supply", "stake", "add_liquidity"];

const isLoose = ({ acts }: Group): boolean => acts[0] === "transfer" || acts[0] === "bridge";

/** "cash out 50 USDC from Aave", "bring 20 USDC home from Compound". */
const fromVenue: Rule = (group, verb) => {
  if (!isLoose(group) || !after(group.items, /^from$/, isVenue) || group.items.some(isParty)) return null;
  return asGets(withActs(group, [...OUT, ...group.acts]), verb, true);
};

const THROUGH = /^(?:via|through|using|thru|by|by way of|by using|by means of)$/;

const isPiece = (item: Item): boolean => item.k === "id" || (item.k === "class" && item.v === "nft");

/** "Pay 2 ETH for Milady #914". */
const paysFor: Rule = (group) => {
  const { items, acts } = group;
  const at = items.findIndex((item) => isPrep(item, /^for$/));
  if (acts[0] !== "transfer" || at < 0 || namesParty(items) || !items.slice(at, at + 8).some(isPiece))
    return null;
  return withActs(group, ["buy_nft", ...acts]);
};

/** "Let Li Wei spend 20 USDC". */
const letsSomebody: Rule = (group, verb) => {
  const at = group.items.indexOf(verb) + 1;
  const next = itemAt(group.items, nextPlace(group.items, at - 1));
  if (group.acts[0] !== "approve" || at === 0 || !isContact(next) || !/^\p{Lu}/u.test(next.text)) return null;
  const items = [
    ...group.items.slice(0, at),
    preposition(itemAt(group.items, at), "to"),
    ...group.items.slice(at),
  ];
  return { ...group, items };
};

/** "to real ETH": a word that says which kind of asset comes. */
const comesBack = (items: readonly Item[]): boolean =>
  items.some(
    (item, at) =>
      isPrep(item, /^(?:into|to)$/) && items[at + 1]?.k === "word" && items[at + 2]?.k === "asset",
  );

/** "top up my Compound position with 50 USDC": no one is paid, so the venue is the destination. */
const intoVenue: Rule = (group) => {
  const { items, acts } = group;
  const at = items.findIndex(isVenue);
  if (acts[0] !== "transfer" || at < 0 || namesParty(items) || THROUGH.test(itemAt(items, at - 1).low))
    return null;
  if (items.some((item) => item.k === "chain" || item.k === "self")) return null;
  // "route 1,740 USDC to LINK on Uniswap", "give 5 ETH, at least 9 USDC": something else comes back.
  const back = items.some((item) => item.k === "bound" && item.v === "least");
  if (
    back ||
    after(items, /^(?:for|into|as|to)$/, (item) => item.k === "asset" || item.k === "num") ||
    comesBack(items)
  )
    return null;
  return withActs(group, [...IN, ...acts]);
};

const isChain = (item: Item): boolean => item.k === "chain";

/** "Take 250 USDC from Optimism over to Base". */
const overTo: Rule = (group, verb) => {
  const { items, acts } = group;
  if (acts[0] === "bridge" || !(acts.includes("transfer") || flagged(verb, "receives"))) return null;
  const leaves = after(items, /^from$/, isChain);
  const arrives = after(items, /^(?:to|into)$/, isChain);
  if (!arrives || !(leaves || acts[0] !== "transfer") || items.some(isParty)) return null;
  return asGets(withActs(group, ["bridge", ...acts]), verb, false);
};

/** "zap Li Wei 50 USDC", "throw 0xabc 5 DAI": with a named party and no venue, the value goes to that party. */
const toSomebody: Rule = (group, verb) => {
  const { items, acts } = group;
  if (acts[0] === "transfer" || !acts.includes("transfer") || acts[0] === "withdraw" || acts[0] === "repay")
    return null;
  if (items.some(isVenue)) return null;
  const next = itemAt(items, nextPlace(items, items.indexOf(verb)));
  const named = isParty(next) || (isContact(next) && /^\p{Lu}/u.test(next.text));
  return named || after(items, /^to$/, isSomebody) ? withActs(group, ["transfer", ...acts]) : null;
};

/** "move 1 ETH into Bob". */
const intoSomebody: Rule = (group) => {
  if (group.acts[0] !== "transfer") return null;
  const at = group.items.findIndex(
    (item, index) => isPrep(item, /^into$/) && isSomebody(itemAt(group.items, nextPlace(group.items, index))),
  );
  if (at < 0) return null;
  const items = group.items.with(at, { ...itemAt(group.items, at), v: "to" });
  return { ...group, items };
};

/** "park 1 ETH in cold storage": a place that the caller knows as a party receives it. */
const inLabel: Rule = (group) => {
  const { items, acts } = group;
  if (!acts.includes("transfer") || items.some(isVenue)) return null;
  const at = items.findIndex(
    (item, index) => isPrep(item, /^(?:into|in|on)$/) && isLabel(itemAt(items, nextPlace(items, index))),
  );
  if (at < 0) return null;
  return {
    ...withActs(group, ["transfer", ...acts]),
    items: items.with(at, { ...itemAt(items, at), v: "to" }),
  };
};

const COUNTED = kinds("num,noteword,id");

const POWER = /^(?:voting (?:rights|power|weight)|vote power|(?:my|our) votes)$/;

/** "assign my COMP votes to 0xabc": a vote that is given to another party is a delegation. */
const votes: Rule = (group) => {
  const { items, acts } = group;
  const represents = items.some((item) => /^represent (?:me|us)$/.test(item.low));
  const power = acts[0] === "transfer" && items.some((item) => POWER.test(item.low));
  if (represents || power) return withActs(group, ["delegate"]);
  if (acts[0] !== "vote" || !items.some(isParty) || items.some((item) => isOne(item, COUNTED))) return null;
  return withActs(group, ["delegate"]);
};

/** "I need 2500 USDC; pay with ETH": what is paid with buys something. */
const paysWith: Rule = (group, verb) => {
  const { items, acts } = group;
  const next = itemAt(items, items.indexOf(verb) + 1);
  if (acts[0] !== "transfer" || !/^pay(?:ing)?$/.test(verb.low) || !isPrep(next, /^(?:with|in)$/))
    return null;
  return namesParty(items) ? null : withActs(group, ["swap"]);
};

/** "Give me ETH back for 0.12 WETH": what is given to oneself arrives. */
const givesMe: Rule = (group, verb) => {
  const { items } = group;
  const me = itemAt(items, items.indexOf(verb) + 1);
  if (!/^(?:give|giving|hand|get)\b/.test(verb.low) || !/^(?:me|us)$/.test(me.low)) return null;
  if (
    !after(items, /^(?:for|against)$/, (item) => item.k === "num" || item.k === "asset" || item.k === "all")
  )
    return null;
  return asGets(withActs(group, ["swap", "wrap", "unwrap"]), verb, true);
};

/** "let my 500 USDC earn on Aave": it permits no one anything. */
const letsEarn: Rule = (group, verb) =>
  verb.low.startsWith("let") && group.items.some((item) => item.low.startsWith("earn"))
    ? withActs(group, IN)
    : null;

/** "collect my 500 USDC from Aave": with an amount and no reward it is one's own that comes back. */
const collected: Rule = (group) => {
  const counted = group.items.some((item) => item.k === "num" || item.k === "all" || item.k === "share");
  const own = counted && group.items.some((item) => item.k === "my") && after(group.items, /^from$/, isVenue);
  return group.acts[0] === "claim" && own && !group.items.some((item) => item.v === "rewards")
    ? withActs(group, [...group.acts, "withdraw"])
    : null;
};

const RULES: readonly Rule[] = [
  letsEarn,
  collected,
  paysWith,
  givesMe,
  letsHave,
  inLabel,
  asLabel,
  votes,
  receives,
  paidBack,
  settles,
  wantedAt,
  treats,
  rewarded,
  owed,
  fromVenue,
  overTo,
  toSomebody,
  paysFor,
  letsSomebody,
  intoVenue,
  intoSomebody,
];

const NO_VERB: Item = itemAt([], 0);

export const recast = (group: Group): Group => {
  let now = group;
  for (const rule of RULES) {
    now = rule(now, now.verb ?? NO_VERB) ?? now;
  }
  return now;
};
