/** Forbidden acts and conditions: negations and conditions, each to the end of its clause. */
import { acts as everyAct, type Act, type Negation, type PartyRef, type Span } from "../intent.ts";
import type { Address } from "../proposal.ts";
import { namedParty } from "./ens.ts";
import { figureAt, type Figure } from "./amounts.ts";
import { isOne, itemAt, kinds, type Item } from "./items.ts";
import { endsClause, leaveOut, opensRequest } from "./notes.ts";
import { assetAt } from "./assets.ts";
import type { Bounding } from "./portions.ts";
import { isMainVerb, isOrder, isWaiting, type Clause } from "./step-order.ts";
import type { Term } from "./term.ts";

/** Longer clauses are cut: no one writes them, and reading stays proportional to the length. */
const CLAUSE_MAX = 80;

/** The verbs of prices. */
const REACHES =
  /^(?:hits|reaches|drops|falls|rises|goes|trades|dips|climbs|at|hit|reach|drop|fall|rise|touches)$/;

const COUNTS = kinds("num,asset");

const endsHere = (items: readonly Item[], at: number): boolean => {
  const item = itemAt(items, at);
  const mark = item.k === "punct" && (/^[,):—–]$/.test(item.v) || (item.v === "-" && !item.tight));
  return endsClause(item) || mark || opensRequest(items, at);
};

const clauseFrom = (items: readonly Item[], at: number, stopAtVerb: boolean): Clause => {
  let to = at + 1;
  let counted = false;
  for (; to < items.length && to < at + CLAUSE_MAX && !endsHere(items, to); to += 1) {
    const item = itemAt(items, to);
    if (stopAtVerb && counted && isMainVerb(item) && !REACHES.test(item.low)) break;
    counted ||= isOne(item, COUNTS);
  }
  return { from: at, to, span: [itemAt(items, at).start, itemAt(items, to - 1).end] };
};

const partyOf = (item: Item): PartyRef => {
  const span: Span = [item.start, item.end];
  return item.k === "addr"
    ? { kind: "address", address: item.v.toLowerCase() as Address, span }
    : namedParty(item.v, span);
};

const find = (items: readonly Item[], clause: Clause, wanted: (item: Item) => boolean): number => {
  for (let at = clause.from + 1; at < clause.to; at += 1) if (wanted(itemAt(items, at))) return at;
  return -1;
};

const verbActs = (items: readonly Item[], clause: Clause): readonly Act[] => {
  const at = find(items, clause, (item) => item.k === "verb" && (item.mark?.acts.length ?? 0) > 0);
  return itemAt(items, at).mark?.acts ?? [];
};

const EXCESS = /^(?:needed|necessary|required|i need|need|this|that|necesario|necessario|notig|necessaire)$/;

const authorityNegation = (items: readonly Item[], clause: Clause, acts: readonly Act[]): Negation | null => {
  const { span } = clause;
  const excess =
    find(items, clause, (item) => item.k === "unlimited" || (item.k === "all" && acts.includes("approve"))) >=
    0;
  const beyond =
    find(items, clause, (item) => EXCESS.test(item.low)) >= 0 &&
    find(items, clause, (item) => item.k === "bound" || item.low === "more") >= 0;
  if (excess || (beyond && acts.includes("approve"))) return { kind: "unlimited_approval", span };
  if (acts[0] !== "approve") return null;
  return isOfRequest(items, clause) ? { kind: "unchecked", span } : { kind: "approval", acts, span };
};

/** "I give no approval", "you are not authorised to carry that out": the request is refused, and not only an approval. */
const isOfRequest = (items: readonly Item[], clause: Clause): boolean => {
  const before = items.slice(Math.max(0, clause.from - 3), clause.from);
  const gives =
    before.some(({ k }) => k === "verb") && before.some(({ k }) => k === "self" || k === "pronoun");
  return gives || find(items, clause, ({ k }) => k === "pronoun") >= 0;
};

const namedNegation = (items: readonly Item[], clause: Clause): Negation | null => {
  const { span } = clause;
  const kinds: readonly [Negation["kind"], (item: Item) => boolean][] = [
    ["partial_fill", (item) => item.k === "partial"],
    ["fee", (item) => item.k === "fee"],
    ["venue", (item) => item.k === "venue"],
    ["chain", (item) => item.k === "chain"],
    ["party", (item) => item.k === "addr" || item.k === "name"],
    ["asset", (item) => item.k === "asset"],
  ];
  for (const [kind, wanted] of kinds) {
    const at = find(items, clause, wanted);
    if (at < 0) continue;
    const item = itemAt(items, at);
    const asset = kind === "asset" ? assetAt(items, at)?.asset : undefined;
    return {
      kind,
      span,
      ...(kind === "venue" ? { venue: item.v } : {}),
      ...(kind === "chain" ? { chain: item.v } : {}),
      ...(kind === "party" ? { party: partyOf(item) } : {}),
      ...(asset === undefined ? {} : { asset }),
    };
  }
  return null;
};

/** "No other transfers", "nothing else": beyond what is asked for, so the request itself stays allowed. */
const OTHER = /\belse\b|^(?:other|others|further|additional|extra|more|another)$/;
/** The same in other languages. They count only where the clause refuses no act: "ni un céntimo más", "nichts weiter". */
const MORE =
  /^(?:top|mas|otro|otra|otros|otras|mais|outro|outra|plus|davantage|autre|autres|mehr|sonst|weitere|weiteren|anderes|其他|别的)$/;

const SAYS_LITTLE = kinds("verb,punct,pronoun,noise");
const BEFORE_NOUNS = /^(?:without|zero|sin|sem|sans|ohne|keine?[mnrs]?|无|不用|不要)$/;
const NOUN = /(?:al|ing|ion|swap|sale|loan|trade|transfer|bridge|payment|deposit|wrap|stake)s?$/;

const ARTICLE = /^(?:the|la|el|le|l|a|o|die|der|das|den|itself)$/;

/** "I do not authorise this", "不能转", "without the transfer": with no other object it is the request that is refused. "No approvals" names what may not happen. */
const refusesAll = (items: readonly Item[], clause: Clause): boolean => {
  const [refused, head] = [itemAt(items, clause.from), itemAt(items, clause.from + 1)];
  const isAny = BEFORE_NOUNS.test(refused.low) || (refused.low === "no" && NOUN.test(head.low));
  const isAbout = (item: Item): boolean => !isOne(item, SAYS_LITTLE) && !ARTICLE.test(item.low);
  return (!isAny || ARTICLE.test(head.low)) && find(items, clause, isAbout) < 0;
};

const negationOf = (items: readonly Item[], clause: Clause): Negation => {
  const acts = verbActs(items, clause);
  const { span } = clause;
  if (acts.length > 0 && refusesAll(items, clause)) return { kind: "unchecked", span };
  const named = authorityNegation(items, clause, acts) ?? namedNegation(items, clause);
  if (named !== null)
    return acts.length > 0 && named.acts === undefined && named.kind !== "unlimited_approval"
      ? { ...named, acts }
      : named;
  const beyond = find(items, clause, (item) => OTHER.test(item.low) || item.k === "bound") >= 0;
  if (beyond) return { kind: "other", span };
  if (acts.length > 0) return { kind: "act", acts, span };
  const more = find(items, clause, (item) => MORE.test(item.low)) >= 0;
  return { kind: more ? "other" : "unchecked", span };
};

const OPPOSITE: Readonly<Record<string, Bounding>> = { least: "most", most: "least" };

/** "Do not under any circumstances spend more than 2 ETH" bounds a spend; it refuses nothing. */
const turnedBound = (items: readonly Item[], clause: Clause): boolean => {
  const at = find(items, clause, (item) => item.k === "bound" && (item.v === "least" || item.v === "most"));
  if (at < 0 || figureAt(items, at + 1) === null) return false;
  const bound = itemAt(items, at);
  bound.v = OPPOSITE[bound.v] ?? bound.v;
  for (let index = clause.from; index < at; index += 1) leaveOut(items[index], "bound");
  return true;
};

const EXCEPT = /^(?:except|except for|excluding|other than|menos|excepto|exceto|sauf|ausser|bis auf|除了)$/;

const isSlight = (item: Item): boolean => item.mark?.flags.includes("light") === true;
const FEELING = /^(?:trust|like|know|care|remember|recognise|recognize|believe|mind|sure)$/;
const WISH = /^(?:want|need|longer|use|have)$/;
const ACTS_ON = kinds("verb,num");
const REFUSABLE = kinds("asset,venue,chain,unlimited,partial,fee,slippage,class,addr,name,contact,all");
const WHOM = kinds("addr,name,contact,venue");

/** Whether a refusal is only a feeling, or says that something unnamed is no longer needed. */
const isFeeling = (items: readonly Item[], clause: Clause): boolean => {
  const [before, refused, head] = [-1, 0, 1].map((step) => itemAt(items, clause.from + step));
  if (before === undefined || refused === undefined || head === undefined) return false;
  const mine = before.k === "self";
  if (FEELING.test(head.low)) return mine || refused.low === "not" || refused.first;
  const rest = { ...clause, from: clause.from + 1 };
  return mine && WISH.test(head.low) && find(items, rest, (item) => isOne(item, REFUSABLE)) < 0;
};

/** "I don't trust 0xabc any more", "not sure", "I no longer need it": refuses nothing. A named party stays. */
const isOpinion = (items: readonly Item[], clause: Clause): boolean => {
  const rest = { ...clause, from: clause.from + 1 };
  if (!isFeeling(items, clause)) return false;
  if (find(items, rest, (item) => isOne(item, ACTS_ON) && !isSlight(item)) >= 0) return false;
  for (let index = clause.from; index < clause.to; index += 1) {
    if (!isOne(items[index], WHOM)) leaveOut(items[index], "note");
  }
  return true;
};

const OWN_WEIGHT = kinds("addr,hex,name,num");

/** "Unterlasse es, 50 USDC zu senden": what is refused may stand behind a comma. */
const refusedFrom = (items: readonly Item[], at: number): Clause => {
  const clause = clauseFrom(items, at, false);
  if (itemAt(items, at).v !== "refuse" || itemAt(items, clause.to).v !== ",") return clause;
  const { to, span } = clauseFrom(items, clause.to, false);
  return { from: at, to, span: [clause.span[0], span[1]] };
};

/** "…, but refuse": without an object, everything is refused. */
const refusalOf = (items: readonly Item[], clause: Clause): Negation => {
  const found = negationOf(items, clause);
  return found.kind === "other" && itemAt(items, clause.from).v === "refuse"
    ? { kind: "act", acts: everyAct, span: clause.span }
    : found;
};

const negation = (items: readonly Item[], at: number): { found: Negation; term: Term | null } | null => {
  const item = itemAt(items, at);
  if (EXCEPT.test(item.low) && figureAt(items, at + 1) !== null) return null;
  const clause = refusedFrom(items, at);
  if (turnedBound(items, clause) || isOpinion(items, clause)) return null;
  const found = refusalOf(items, clause);
  const concerns = found.kind === "party" || verbActs(items, clause).length > 0;
  for (let index = clause.from; index < clause.to; index += 1) {
    // "no partial fills 0x…": an address or number the refusal is not about stays open, so that it is not lost in silence.
    leaveOut(items[index], concerns || !isOne(items[index], OWN_WEIGHT) ? "negation" : null);
  }
  const term =
    found.kind === "venue" && found.venue !== undefined
      ? { at: item.start, avoid: { venue: found.venue, span: clause.span } }
      : null;
  return {
    found,
    term:
      found.kind === "partial_fill"
        ? { at: item.start, partialFill: { value: false, span: clause.span } }
        : term,
  };
};

const firstFigure = (items: readonly Item[], from: number, to: number): Figure | null => {
  for (let at = from; at < to; at += 1) {
    const figure = figureAt(items, at);
    if (figure !== null) return figure;
  }
  return null;
};

const priceIn = (items: readonly Item[], clause: Clause): NonNullable<Term["limitPrice"]> | null => {
  const bound = find(items, clause, (item) => item.k === "bound" || REACHES.test(item.low));
  const figure = bound < 0 ? null : firstFigure(items, bound + 1, clause.to);
  if (figure === null || (figure.unit !== "none" && figure.unit !== "fiat")) return null;
  const base = find(items, { ...clause, to: figure.start }, (item) => item.k === "asset");
  const near = itemAt(items, figure.start - 1);
  const dollars =
    figure.unit === "fiat" ? ({ kind: "symbol", symbol: "USD", span: figure.span } as const) : null;
  return {
    n: figure.n,
    base: assetAt(items, base)?.asset ?? null,
    quote: assetAt(items, figure.next)?.asset ?? dollars,
    side: near.k === "bound" ? (near.v as Bounding) : null,
    span: figure.span,
  };
};

const WEIGHTY = kinds("num,asset,addr,name,gas,venue,chain,bound,date,later,until,within");
const COURTESY =
  /\b(?:(?:you|u|ya|it|that|this|its|that's|it's)\b.{0,12}\b(?:can|could|get|have|got|are|re|free|ready|mind|would|please|like|want|wish|may|able|ok|okay|fine|possible|convenient|suits|works|online|around|time|moment|second|sec|minute|chance|make)|possible|convenient|ready|able|needed|necessary|required|feasible|poss)\b/;
const DOUBT =
  /\b(?:think|believe|see|price|market|gas|vote|drops?|falls?|rises?|approv|confirm|safe|profit|enough|balance|rate|cheap|expensive)/;

/** "when you get a second", "if possible": politeness, and nothing to wait for. */
const isCourtesy = (items: readonly Item[], clause: Clause, said: string): boolean =>
  find(items, clause, (item) => isOne(item, WEIGHTY)) < 0 && COURTESY.test(said) && !DOUBT.test(said);

/** "pull 5000 USDC once via Permit2": how often, not when. */
const isAdverb = (items: readonly Item[], at: number): boolean =>
  itemAt(items, at).low === "once" &&
  isOne(itemAt(items, at - 1), kinds("asset,num,word,addr,name")) &&
  isOne(itemAt(items, at + 1), kinds("end,stop,line,prep,punct"));

/** The part of a clause before the first verb that asks for something: "once you are ready | send 5 USDC". */
const untilVerb = (items: readonly Item[], clause: Clause): Clause => {
  const verb = find(items, clause, (item) => isMainVerb(item) && (item.mark?.acts.length ?? 0) > 0);
  if (verb < 0) return clause;
  return { from: clause.from, to: verb, span: [clause.span[0], itemAt(items, verb - 1).end] };
};

const leaveAll = (items: readonly Item[], clause: Clause, slot: string): null => {
  for (let index = clause.from; index < clause.to; index += 1) leaveOut(items[index], slot);
  return null;
};

const AS_MAX = 4;

/** "打 0.03 ETH 当 gas": what it serves as. A "when" would say 时. */
const servesAs = (items: readonly Item[], { from, to }: Clause, said: string): boolean =>
  itemAt(items, from).low === "当" && !said.includes("时") && to - from <= AS_MAX;

/** The part of a clause there is nothing to wait for in: politeness, or what something serves as. */
const idlePart = (items: readonly Item[], clause: Clause, text: string): Clause | null => {
  if (servesAs(items, clause, text.slice(clause.span[0], clause.span[1]))) return clause;
  const head = untilVerb(items, clause);
  return isCourtesy(items, head, text.slice(head.span[0], head.span[1]).toLowerCase()) ? head : null;
};

const kindOf = (limitPrice: Term["limitPrice"] | null, said: string): "price" | "other" =>
  limitPrice === null || isWaiting(said) ? "other" : "price";

const condition = (items: readonly Item[], at: number, text: string): Term | null => {
  if (isAdverb(items, at)) {
    leaveOut(items[at], "note");
    return null;
  }
  const clause = clauseFrom(items, at, true);
  const said = text.slice(clause.span[0], clause.span[1]);
  const idle = idlePart(items, clause, text);
  if (idle !== null) return leaveAll(items, idle, "note");
  if (isOrder(items, clause, text)) return leaveAll(items, clause, "sequence");
  const limitPrice = priceIn(items, clause);
  const isGas = find(items, clause, (item) => item.k === "gas") >= 0;
  for (let index = clause.from; index < clause.to; index += 1) {
    if (!isGas) leaveOut(items[index], "condition");
  }
  itemAt(items, at).skip = true;
  itemAt(items, at).slot = "condition";
  const kind = isGas ? "gas" : kindOf(limitPrice, said);
  const term = {
    at: clause.span[0],
    condition: { said: said.slice(0, 200), kind, span: clause.span },
  } as const;
  return limitPrice === null || isGas ? term : { ...term, limitPrice };
};

export const takeRefusals = (
  items: readonly Item[],
  text: string,
): { negations: Negation[]; terms: Term[] } => {
  const negations: Negation[] = [];
  const terms: Term[] = [];
  for (let at = 0; at < items.length; at += 1) {
    const item = itemAt(items, at);
    if (item.skip) continue;
    if (item.k === "cond") {
      const term = condition(items, at, text);
      if (term !== null) terms.push(term);
    } else if (item.k === "neg") {
      const found = negation(items, at);
      if (found !== null) negations.push(found.found);
      if (found?.term !== null && found?.term !== undefined) terms.push(found.term);
    }
  }
  return { negations, terms };
};
