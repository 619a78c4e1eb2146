/**
 * Words into an Intent. The flow: what a reader sees → pieces → items with meaning → notes, refusals and terms taken out →
 * one group per verb → slots → steps. Nothing is decided here, nothing is guessed: several honest readings are all kept.
 */
import { checkpoint } from "../budget.ts";
import type { HardToken, Intent, Negation } from "../intent.ts";
import { aboutCharacters } from "./about-characters.ts";
import { adminOf } from "./admin.ts";
import { controlOf } from "./control.ts";
import { joinExceptions } from "./amounts.ts";
import { takeAntecedents } from "./antecedents.ts";
import { makeSteps, type Made } from "./assemble.ts";
import { attach, tokensOf } from "./attach.ts";
import { takeAuthority } from "./authority.ts";
import { GROUPS_MAX, isContent, toGroups, type Group } from "./clauses.ts";
import { takeContacts } from "./contacts.ts";
import type { Draft } from "./drafts.ts";
import { findSignals } from "./find-signals.ts";
import { findStatements } from "./find-statements.ts";
import { takeIdioms } from "./idioms.ts";
import { hardKind, isOne, itemAt, kinds, type Item } from "./items.ts";
import { isVerbLast, tableFor } from "./language.ts";
import { labelsOf, takeLabels } from "./labels.ts";
import { tellsPast } from "./languages/past.ts";
import { giveBack } from "./kept.ts";
import type { Lexicon } from "./lexicon.ts";
import { takeLoans } from "./loans.ts";
import { assemble } from "./neighbours.ts";
import { takeAsides } from "./asides.ts";
import { takeNotes } from "./notes.ts";
import { joinParticles } from "./particles.ts";
import { readItems } from "./read-items.ts";
import { recast } from "./recast.ts";
import { fold, isNear, shortened, type Table } from "./phrases.ts";
import { takeRefusals } from "./refusals.ts";
import { takeRoles } from "./roles.ts";
import { readApart, readOtherwise, takeWritten, toStep, type World } from "./second-readings.ts";
import { takeSigning } from "./signing.ts";
import { whyNoRequest } from "./request.ts";
import type { Term } from "./term.ts";
import { takeTerms } from "./terms.ts";
import { findUngoverned } from "./force/find-ungoverned.ts";
import { unknownWordsIn } from "./unknown-words.ts";
import type { Characters } from "./unicode.ts";
import { withheld } from "./withhold.ts";
import { implied, impliedActs } from "./verbless.ts";

type Ambiguities = { said: string; readings: string[]; span: readonly [number, number] }[];

const OBJECTS = kinds("num,all,share,my,bound,asset,addr,name,unlimited,pronoun,self,id,collection");

/** "for concert tickets": after a preposition there is no verb, unless its object follows too. */
const mayBeVerb = (items: readonly Item[], at: number): boolean => {
  const { k, low, symbol } = itemAt(items, at);
  if (k !== "word" || low.length < 4 || low.length > 14 || symbol !== null) return false;
  return items[at - 1]?.k !== "prep" || isOne(items[at + 1], OBJECTS);
};

/** A verb with one letter wrong, where the text has no verb at all. */
const misspelt = (items: readonly Item[], table: Table, language: string): Item[] => {
  if (items.some((item) => item.k === "verb" && (item.mark?.acts.length ?? 0) > 0)) return [...items];
  let found = false;
  return items.map((item, at) => {
    if (found || !mayBeVerb(items, at) || tellsPast(language, item.text)) return item;
    const near = shortened(item.low)
      .flatMap((form) => table.near.get(form) ?? [])
      .find((verb) => isNear(item.low, verb));
    const mark =
      near === undefined ? undefined : table.phrases.get(near)?.find((one) => one.words.length === 1)?.mark;
    if (mark === undefined || mark.acts.length === 0) return item;
    found = true;
    return { ...item, k: "verb", v: mark.v, mark };
  });
};

const RESTATED = kinds("num,addr,name,asset,venue,chain,all,share");
const RESTATE_REACH = 12;

/** "wait" and "I mean" correct something only where money words of one kind stand on both sides. */
const restates = (items: readonly Item[], at: number): boolean => {
  const before = new Set(
    items
      .slice(Math.max(0, at - RESTATE_REACH), at)
      .flatMap((item) => (isOne(item, RESTATED) ? [item.k] : [])),
  );
  const after = items.slice(at + 1, at + 1 + RESTATE_REACH);
  return (
    before.size > 0 && after.some((item) => before.has(item.k) || (item.k === "verb" && before.size > 0))
  );
};

const corrections = (items: readonly Item[], ambiguities: Ambiguities): void => {
  for (const [at, item] of items.entries()) {
    if (item.k !== "correct" || item.skip || !restates(items, at)) continue;
    ambiguities.push({
      said: item.low,
      readings: ["the request before it", "the request after it"],
      span: [item.start, item.end],
    });
    if (ambiguities.length > GROUPS_MAX) return;
  }
};

const isWhole = (group: Group): boolean =>
  group.items.some((item) => item.k === "num" || item.k === "all" || item.k === "share") &&
  impliedActs(group).length > 0 &&
  (!USES.test(group.verb?.low ?? "") || group.items.some((item) => item.low === "collateral"));

const isLonelyLight = (group: Group): boolean =>
  group.acts.length === 0 && adminOf(group) === null && !isWhole(group);

const USES = /^(?:use|uses|using|used)$/;

/** "Need USDT. Use 0.75 ETH": what is used is what it costs. */
const lend = (group: Group): readonly Item[] => {
  const { verb } = group;
  if (verb !== null && USES.test(verb.low)) {
    verb.k = "prep";
    verb.v = group.items.some((item) => item.k === "num" || item.k === "share" || item.k === "all")
      ? "with"
      : "on";
  }
  return group.items;
};

/** A verb without a meaning of its own ("use Uniswap V3") gives its words to the step before it, or to the one after. */
const withoutLight = (groups: readonly Group[]): Group[] => {
  const out: Group[] = [];
  let carried: Item[] = [];
  for (const group of groups) {
    const before = out.at(-1);
    if (!isLonelyLight(group)) {
      out.push({ ...group, items: [...carried, ...group.items] });
      carried = [];
    } else if (before !== undefined && group.items.some((item) => isContent(item)))
      before.items.push(...lend(group));
    else carried = [...carried, ...group.items];
  }
  if (out.length > 0 || carried.length === 0) return out;
  return [{ verb: null, acts: [], items: carried, joined: false }];
};

const STEPS_MAX = 256;

const tooMany = (items: readonly Item[]): Ambiguities[number] => ({
  said: "more steps than can be read",
  readings: [`the first ${GROUPS_MAX} steps`, "all of them"],
  span: [0, items.at(-1)?.end ?? 0],
});

const isStep = (draft: Draft): boolean => draft.acts.length > 0;

const stepsOf = (
  items: readonly Item[],
  lexicon: Lexicon,
  language: string,
  ambiguities: Ambiguities,
): Draft[] => {
  const live = items.filter((item) => !item.skip);
  const { groups, cut } = toGroups(live, isVerbLast(language));
  if (cut) ambiguities.push(tooMany(items));
  const chainId = (phrase: string): number | null => lexicon.chainNamed(phrase)?.id ?? null;
  const made: Made[] = [];
  for (const group of withoutLight(groups)) {
    if (group.verb !== null) group.verb.slot ??= "verb";
    made.push(makeSteps(recast(implied(group)), chainId, ambiguities));
  }
  const steps = assemble(made).filter(isStep);
  if (steps.length > STEPS_MAX) ambiguities.push(tooMany(items));
  return steps.slice(0, STEPS_MAX);
};

const moneyFirst = (ambiguities: Ambiguities): Intent["ambiguities"] =>
  ambiguities.map((one) => ({ ...one, span: [one.span[0], one.span[1]] as const }));

type Parts = {
  readonly items: readonly Item[];
  readonly steps: readonly Draft[];
  readonly negations: readonly Negation[];
  readonly ambiguities: Ambiguities;
};

const attempt = (text: string, items: Item[], world: World, reasons: boolean): Parts => {
  checkpoint();
  const ambiguities: Ambiguities = [];
  takeLabels(items, world.labels, text);
  const unasked = withheld(items);
  const control = controlOf(items);
  if (control !== null) return { items, steps: [control], negations: unasked, ambiguities };
  takeWritten(items);
  takeRoles(items);
  takeSigning(items);
  takeLoans(items);
  takeIdioms(items);
  takeAuthority(items);
  takeAntecedents(items, text);
  takeAsides(items);
  takeNotes(items, reasons);
  takeContacts(items, text);
  joinExceptions(items);
  corrections(items, ambiguities);
  checkpoint();
  const refused = takeRefusals(items, text);
  const terms: Term[] = [...refused.terms, ...takeTerms(items)];
  const steps = stepsOf(items, world.lexicon, world.language, ambiguities);
  for (const term of terms) attach(steps, term);
  giveBack(items, steps);
  checkpoint();
  return { items, steps, negations: [...unasked, ...refused.negations], ambiguities };
};

const isObjectless = (parts: Parts): boolean =>
  parts.steps.every((step) => step.gives.length === 0 && step.gets.length === 0);

const read = (text: string, seen: Characters, world: World): Parts & Pick<Required<Intent>, "others"> => {
  const { lexicon, language } = world;
  const table = tableFor(lexicon, language);
  const fresh = (): Item[] =>
    joinParticles(misspelt(readItems(seen, lexicon, language), table, language), table);
  const items = fresh();
  const copy = items.map((item) => ({ ...item }));
  const parts = attempt(text, items, world, true);
  const first = { ...parts, others: [...readApart(text, parts), ...readOtherwise(text, copy, world)] };
  if (!isObjectless(first) || !items.some((item) => item.k === "purpose")) return first;
  // "I owe Sarah 120 USDC, please pay her": the reason holds what the request leaves out.
  const second = attempt(text, fresh(), world, false);
  return isObjectless(second) ? first : { ...second, others: first.others };
};

const inOrder = (tokens: readonly HardToken[]): readonly HardToken[] =>
  [...tokens].sort((a, b) => a.span[0] - b.span[0]);

/** Where the grammar finds nothing to do, a stricter reading comes first. */
const firstOf = (
  grammar: Pick<Intent, "steps" | "tokens">,
  others: NonNullable<Intent["others"]>,
): Pick<Intent, "steps" | "tokens"> =>
  grammar.steps.length === 0 && others[0] !== undefined ? others[0] : grammar;

export type Given = {
  readonly seen: Characters;
  readonly language: string;
  readonly lexicon: Lexicon;
  /** The caller's names for the addresses it knows; they only show where a name begins and ends. */
  readonly labels: readonly string[];
};

/** Throws only `OverBudget`; time grows with the length. */
export function readByGrammar(text: string, { seen, language, lexicon, labels }: Given): Intent {
  const {
    items,
    steps: said,
    negations,
    ambiguities,
    others,
  } = read(text, seen, {
    lexicon,
    language,
    labels: labelsOf(labels),
  });
  // Text in an unsupported language is not guessed at.
  const known = language !== "unknown";
  const grammar = { steps: known ? said.map(toStep) : [], tokens: tokensOf(items, hardKind, text) };
  const { steps, tokens: taken } = known ? firstOf(grammar, others) : grammar;
  const notARequest = whyNoRequest(fold(seen.clean), items, steps);
  const open =
    notARequest === null ? [...findSignals(seen, items, language), ...findStatements(seen, items, text)] : [];
  const tokens = inOrder([...taken, ...open]);
  return {
    steps,
    negations,
    tokens,
    ambiguities: moneyFirst(ambiguities),
    language,
    ...(known && others.length > 0
      ? { others: others.map((one) => ({ ...one, tokens: inOrder([...one.tokens, ...open]) })) }
      : {}),
    unknownWords: unknownWordsIn(items),
    ungoverned: notARequest === null ? findUngoverned(items, language) : [],
    notARequest,
    ...aboutCharacters(seen, tokens, text),
  };
}
