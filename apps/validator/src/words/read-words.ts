/**
 * A request as an Intent. The grammar reads it whole. A text that asks for one act has a second reading by its core: everything
 * around the act is shown to be harmless, and the grammar reads the canonical sentence of what remains.
 */
import type { HardToken, Intent, Span } from "../intent.ts";
import { aboutCharacters } from "./about-characters.ts";
import { placeBack, textOf } from "./core/parts.ts";
import { findAroundRequest, readCore, type Core } from "./core/read-core.ts";
import type { Taken } from "./core/find-unasked.ts";
import { findOtherLanguage } from "./find-other-language.ts";
import { findEmptyStep } from "./find-empty-step.ts";
import { findUncounted } from "./find-uncounted.ts";
import { findSignals } from "./find-signals.ts";
import { isOne, kinds, type Item } from "./items.ts";
import { languageOf } from "./language.ts";
import type { Lexicon } from "./lexicon.ts";
import { fold } from "./phrases.ts";
import { readByGrammar, type Given } from "./read-by-grammar.ts";
import { spanOf } from "./reader.ts";
import { readItems } from "./read-items.ts";
import { readMessageRequest } from "./message-requests.ts";
import { checkReading } from "./readings/check-reading.ts";
import type { Reading } from "./readings/reading.ts";
import { NAMES_NOTHING } from "./request.ts";
import { readCharacters } from "./unicode.ts";

export type { Lexicon } from "./lexicon.ts";

/**
 * Returns the request, slot by slot, each with its place in the text. Throws only `OverBudget`; time grows with the
 * length. `labels`: the caller's names for the addresses it knows; they only show where a name begins and ends. `proposed`: a reading from
 * elsewhere, which is one more to try if it can be shown to be right.
 */
export function readWords(
  text: string,
  lexicon: Lexicon,
  labels: readonly string[] = [],
  proposed: Reading | null = null,
): Intent {
  const seen = readCharacters(text);
  const language = languageOf(seen.clean, lexicon);
  const signing = readMessageRequest(text);
  if (signing !== null) return { ...signing, language, ...aboutCharacters(seen, [], text) };
  const given = { seen, language, lexicon, labels };
  const items = readItems(seen, lexicon, language);
  const read = readByGrammar(text, given);
  const around =
    read.notARequest === null
      ? findAroundRequest({ text, items, language }, takenBy(read, items), lexicon)
      : null;
  const other = findOtherLanguage(items, language);
  const strange = other === null ? null : { text: other.text, span: spanOf(other) };
  const bare = [findUncounted(read.steps, text), findEmptyStep(read.steps, items)]
    .filter((span) => span !== null)
    .map((span) => ({ text: text.slice(...span), span }));
  const open = [around, strange, ...bare].filter((one) => one !== null);
  const intent = open.length === 0 ? read : { ...read, ungoverned: [...(read.ungoverned ?? []), ...open] };
  const core = strange === null ? readByCore(text, items, given) : null;
  const shown = strange === null ? readByProposal({ text, items, given, read }, proposed) : null;
  const others = [core, shown].filter((one) => one !== null);
  return others.length === 0 ? intent : { ...intent, others: [...others, ...(intent.others ?? [])] };
}

/** Null if a word around the act is not shown to be harmless. */
function readByCore(text: string, items: readonly Item[], given: Given): Intent | null {
  const { seen, language, lexicon, labels } = given;
  // A name that the caller knows must be compared with the address next to it.
  if (hasLabel(seen, labels)) return null;
  const core = readCore({ text, items, language }, lexicon);
  return "parts" in core ? readCanonical(text, items, core, given) : null;
}

const hasLabel = ({ clean }: Given["seen"], labels: readonly string[]): boolean =>
  labels.some((label) => fold(clean).includes(fold(label)));

/** Null if a phrase that may take the request back is in reach of it. */
function readCanonical(text: string, items: readonly Item[], core: Core, given: Given): Intent | null {
  const { seen, language, lexicon } = given;
  const reaches = ({ span }: HardToken): boolean => span[1] > core.told;
  if (findSignals(seen, items, language).some(reaches)) return null;
  const sentence = textOf(core.parts);
  const canonical = { seen: readCharacters(sentence), language: "en", lexicon, labels: [] };
  const intent = placeBack(readByGrammar(sentence, canonical), core.parts, core.asked);
  return { ...intent, language, ...aboutCharacters(seen, intent.tokens, text) };
}

type Around = {
  readonly text: string;
  readonly items: readonly Item[];
  readonly given: Given;
  readonly read: Intent;
};

/**
 * The steps of a proposal, if the kernel shows them and every rule for a text around its request holds as well. The grammar's findings in the text count,
 * except where it puts values: a proposal may correct that. The kernel has checked the stories before the request.
 */
function readByProposal(around: Around, proposed: Reading | null): Intent | null {
  const { text, items, given, read } = around;
  if (proposed === null || !mayBeProposed(around)) return null;
  const { language, lexicon } = given;
  const core = checkReading({ text, items, language }, proposed, lexicon);
  if (!("parts" in core)) return null;
  const isTold = (start: number): boolean => core.stories.some((span) => span[0] <= start && start < span[1]);
  const intent = readCanonical(text, items, core, given);
  if (intent === null || (read.ungoverned ?? []).some(({ span }) => !isTold(span[0]))) return null;
  const rest = items.filter(({ start }) => !isTold(start));
  const open =
    findAroundRequest({ text, items: rest, language }, takenBy(intent, rest), lexicon) ??
    findUncounted(read.steps, text) ??
    findEmptyStep(read.steps, items);
  return open === null ? intent : null;
}

/** Nothing that the grammar reads in the whole text takes the request back, and no name must be compared. */
const mayBeProposed = ({ read, given: { seen, labels } }: Around): boolean =>
  (read.notARequest === null || read.notARequest === NAMES_NOTHING) &&
  read.negations.length === 0 &&
  !hasLabel(seen, labels);

/** Words that give a value its role, and terms without a slot of their own. */
const ROLES = kinds("prep,key,slippage");
/** Words that join several steps. */
const JOINTS = kinds("then,each");

const spansOf = (parts: readonly ({ readonly span: Span } | null)[]): readonly Span[] =>
  parts.flatMap((part) => (part === null ? [] : [part.span]));

function takenBy({ steps, tokens }: Intent, items: readonly Item[]): Taken {
  const within =
    (spans: readonly Span[]) =>
    ({ start }: { readonly start: number }): boolean =>
      spans.some((span) => span[0] <= start && start < span[1]);
  const read = tokens.filter(({ kind, slot }) => slot !== null && kind !== "verb");
  const isVague = within(items.filter(({ k }) => k === "vague").map(spanOf));
  const isCompared = ({ slot, span }: HardToken): boolean => slot !== "note" && !isVague({ start: span[0] });
  const fills = spansOf(steps.map(({ partialFill }) => partialFill));
  const values = [...read.filter(isCompared).map(({ span }) => span), ...fills];
  const parties = steps.flatMap(({ to, from, spender, onBehalfOf }) => [...to, from, spender, onBehalfOf]);
  const acts = steps.flatMap(({ verb }) => (verb.word === "" ? [] : [verb.span]));
  const isJoint = (item: Item): boolean => isOne(item, ROLES) || (steps.length > 1 && isOne(item, JOINTS));
  /** A role counts with the value or act that it is given to. */
  const isGiven = (item: Item, at: number): boolean => {
    const next = items.slice(at).find((one) => !isJoint(one));
    return isJoint(item) && next !== undefined && within([...values, ...acts])(next);
  };
  return {
    isOneStep: steps.length === 1,
    asAct: within(acts),
    asValue: within([...values, ...items.filter(isGiven).map(spanOf)]),
    asParty: within(spansOf(parties)),
    asTerm: within([...read.map(({ span }) => span), ...fills, ...items.filter(isJoint).map(spanOf)]),
  };
}
