/** Proposes readings of a text, as many as are worth trying: every act at every verb, every story, every split into steps, and random changes of each. */
import { verbs, type Grammar } from "../src/words/core/grammar.ts";
import { wordsIn, withAmount, type Text } from "../src/words/core/read-core.ts";
import type { Token } from "../src/words/core/tokens.ts";
import type { Lexicon } from "../src/words/lexicon.ts";
import {
  inertNames,
  proposedActs,
  slotNames,
  type Piece,
  type ProposedAct,
  type Reading,
} from "../src/words/readings/reading.ts";

type As = Piece["as"];
type Draft = { readonly start: number; readonly end: number; readonly as: As; readonly step: number | null };

const isInert = (as: As): boolean => inertNames.some((name) => name === as);
const toPiece = ({ start, end, as, step }: Draft): Piece =>
  (isInert(as) ? { start, end, as, step: null } : { start, end, as, step: step ?? 0 }) as Piece;

const VALUES = new Set<Token["kind"]>(["money", "address", "chain", "venue", "rate", "asset"]);

type Plan = {
  readonly steps: readonly ProposedAct[];
  /** Where the verb of each step is. */
  readonly verbs: readonly number[];
  /** The text up to here is a story. */
  readonly told: number;
  /** Where each step after the first begins. */
  readonly splits: readonly number[];
  /** Which money is the least amount. */
  readonly least: number;
};

function roleOf(token: Token, act: ProposedAct, isLeast: boolean): As {
  if (token.kind === "money") return isLeast ? "least" : "amount";
  if (token.kind === "address") return act === "approve" || act === "revoke" ? "spender" : "recipient";
  if (token.kind === "chain") return "network";
  if (token.kind === "venue") return "venue";
  return token.kind === "rate" ? "fee" : "asset";
}

/** Pieces that cover the text: each value and verb on its own, and what is between them. */
function build(text: string, tokens: readonly Token[], plan: Plan): Reading {
  const drafts: Draft[] = [];
  let end = 0;
  const fill = (to: number): void => {
    const cuts = [plan.told, ...plan.splits].filter((cut) => cut > end && cut < to);
    for (const cut of [...cuts.toSorted((a, b) => a - b), to]) {
      const isTold = end < plan.told;
      if (text.slice(end, cut).trim() !== "")
        drafts.push({ start: end, end: cut, as: isTold ? "story" : "frame", step: stepAt(end) });
      end = cut;
    }
  };
  const stepAt = (at: number): number => plan.splits.filter((split) => split <= at).length;
  for (const token of [...tokens].sort((a, b) => a.start - b.start)) {
    const isVerb = plan.verbs.includes(token.start);
    if (token.start < plan.told || token.start < end || (!isVerb && !VALUES.has(token.kind))) continue;
    fill(token.start);
    const step = stepAt(token.start);
    const as = isVerb ? "act" : roleOf(token, plan.steps[step] ?? "pay", plan.least === token.start);
    drafts.push({ start: token.start, end: token.end, as, step });
    end = token.end;
  }
  fill(text.length);
  return { version: 1, steps: plan.steps, pieces: drafts.map(toPiece) };
}

/** Where sentences end. */
const endsOf = (tokens: readonly Token[]): readonly number[] =>
  tokens.flatMap(({ kind, end }) => (kind === "break" ? [end] : []));

const MOST_VERBS = 5;
const MOST_STORIES = 5;

/** Every plan for one step, and one step for each address. */
function* plansFor(tokens: readonly Token[], grammar: Grammar): Generator<Plan> {
  const at = (isIt: (token: Token, index: number) => boolean): readonly number[] =>
    tokens.flatMap((token, index) => (isIt(token, index) ? [token.start] : []));
  const acts = at(
    (token, index) => grammar.phraseAt(tokens, index, verbs) > 0 || (token.kind === "word" && token.acts),
  );
  const stories = [0, ...endsOf(tokens)].slice(0, MOST_STORIES);
  const money = at(({ kind }) => kind === "money");
  const places = stories.flatMap((told) =>
    [-1, ...acts.slice(0, MOST_VERBS)].map((verb) => ({ told, verb })),
  );
  for (const act of proposedActs)
    for (const { told, verb } of places)
      for (const least of act === "swap" ? money : [-1])
        yield { steps: [act], verbs: [verb], told, splits: [], least };
  const parties = at(({ kind }) => kind === "address");
  if (parties.length < 2 || money.length < 2) return;
  const starts = at(({ kind }) => kind === "break").concat(
    at(({ low }) => ["and", "y", "e", "et", "und", ",", ";"].includes(low)),
    money.slice(1),
    parties.slice(0, -1),
  );
  for (const act of ["pay", "approve"] as const)
    for (const split of new Set(starts))
      for (const verb of [[], acts.slice(0, 1), acts.slice(0, 2)])
        yield { steps: [act, act], verbs: verb, told: 0, splits: [split], least: -1 };
}

const every = [...slotNames, ...inertNames];

/** One random change: another role, another step, two pieces as one, one as two, another act, or words without a part. */
function mutate({ version, steps, pieces }: Reading, below: (limit: number) => number): Reading {
  const list = pieces.map((piece): Draft => ({ ...piece }));
  const at = below(list.length);
  const piece = list[at];
  if (piece === undefined) return { version, steps, pieces };
  const next = list[at + 1];
  const middle = piece.start + below(Math.max(1, piece.end - piece.start));
  const others: readonly (() => void)[] = [
    () => (list[at] = { ...piece, as: every[below(every.length)] ?? "frame" }),
    () => (list[at] = { ...piece, as: inertNames[below(inertNames.length)] ?? "story" }),
    () => (list[at] = { ...piece, step: below(steps.length + 1) }),
    () => (next === undefined ? undefined : list.splice(at, 2, { ...piece, end: next.end })),
    () =>
      list.splice(
        at,
        1,
        { ...piece, end: middle },
        { ...piece, start: middle, as: every[below(every.length)] ?? "frame" },
      ),
    () => list.splice(at, 1),
    () => (list[at] = { ...piece, end: middle }),
  ];
  others[below(others.length)]?.();
  const act = proposedActs[below(proposedActs.length)] ?? "pay";
  const changed = below(6) === 0 ? steps.map((one, index) => (index === 0 ? act : one)) : steps;
  return { version, steps: below(12) === 0 ? [...changed, act] : changed, pieces: list.map(toPiece) };
}

type Options = {
  readonly lexicon: Lexicon;
  readonly below: (limit: number) => number;
  readonly mutations: number;
};

/** Well-formed and malformed readings of a text. None for a text that no reading can be shown for. */
export function* readingsFor(given: Text, { lexicon, below, mutations }: Options): Generator<Reading> {
  const words = wordsIn(given, lexicon);
  if ("unread" in words) return;
  const { grammar } = words;
  const tokens = withAmount(words.tokens, grammar);
  for (const plan of plansFor(tokens, grammar)) {
    const reading = build(given.text, tokens, plan);
    yield reading;
    let changed = reading;
    for (let count = 0; count < mutations; count += 1) {
      changed = mutate(count % 3 === 0 ? reading : changed, below);
      yield changed;
    }
  }
}
