/**
 * The kernel: which parts may follow each other in a request, and what each contributes. A reading is complete only if every token
 * is a part of it. Nothing is a request because it is not on a list of what is none.
 */
import type { Act, Negation } from "../../intent.ts";
import type { Frame } from "../lexicon/types.ts";
import { isMark, lowAt, ofClass, spanOf, type Source } from "../values.ts";
import { argsAt, chainsAt } from "./args.ts";
import { roleOf } from "./finish.ts";
import { ordinaryAt } from "./ordinary.ts";
import { emptySegment, type Arg, type Draft, type State } from "./state.ts";

export type Next = { readonly end: number; readonly state: State };

/** Every way on from a state at a token. */
export function advance(source: Source, at: number, state: State): readonly Next[] {
  return [
    ...separators(source, at, state),
    ...closed(source, at, state),
    ...verbs(source, at, state),
    ...subjects(source, at, state),
    ...fields(source, at, state),
    ...slots(source, at, state),
    ...bansAt(source, at, state),
    ...ordinary(source, at, state),
  ];
}

/** Whether what a segment holds can stand together, and the state behind it. */
export function endSegment(state: State): State | null {
  const { segment } = state;
  if (segment.asked && !segment.verb) return null;
  if (segment.clause && segment.slots) return null;
  if (segment.clause && segment.verb) return null;
  const asksByItself = segment.slots && !segment.term && !segment.verb;
  return { ...state, segment: emptySegment, bare: state.bare || asksByItself };
}

const ends = new Set([".", "!", "…", "...", ";", "?"]);
const breaks = new Set([",", ":", "-", "–", "—", "--", "(", ")", "[", "]", "|", "*", "•", "☺", "·", "~", ">", "\\", "_", "+", "="]);

function separators(source: Source, at: number, state: State): readonly Next[] {
  const token = source.tokens[at];
  if (token === undefined) return [];
  const out: Next[] = [];
  const push = (end: number, next: State | null): void => {
    if (next !== null) out.push({ end, state: next });
  };
  if (token.kind === "line") push(at + 1, withoutPolite(endSegment(state)));
  if (token.kind === "mark") {
    const { mark } = token;
    // A question asks for something only if it asks somebody to do it.
    if (ends.has(mark) && (mark !== "?" || state.polite)) push(at + 1, withoutPolite(endSegment(state)));
    if (breaks.has(mark)) {
      const depth = state.brackets + ("([".includes(mark) ? 1 : ")]".includes(mark) ? -1 : 0);
      const ended = endSegment(state);
      if (depth >= 0 || isRowMark(source, at)) push(at + 1, ended === null ? null : { ...ended, brackets: Math.max(0, depth) });
    }
    if (["{", "}", '"'].includes(mark)) {
      const ended = endSegment(state);
      if (mark === "{" && at === 0) push(at + 1, ended === null ? null : { ...ended, fields: true });
      else if (state.fields) push(at + 1, mark === '"' ? state : ended);
    }
  }
  for (const { end } of ofClass(source, at, "and")) if (!state.segment.asked || state.segment.verb) push(end, endSegment(state));
  for (const { end } of ofClass(source, at, "sub")) {
    const ended = state.segment.start ? null : endSegment(state);
    push(end, ended);
  }
  return out;
}

/** "1) …", "a) …": a bracket that closes a number of a list. */
const isRowMark = (source: Source, at: number): boolean => isMark(source, at, ")") && source.tokens[at - 1]?.kind === "number";

const withoutPolite = (state: State | null): State | null => (state === null ? null : { ...state, polite: false });

const mark = (state: State, change: Partial<State["segment"]>): State => ({ ...state, segment: { ...state.segment, start: false, ...change } });

/** Phrases from closed lists. */
function closed(source: Source, at: number, state: State): readonly Next[] {
  const out: Next[] = [];
  for (const cls of ["filler", "thanks", "greet", "done", "known"])
    for (const { end } of ofClass(source, at, cls)) out.push({ end, state });
  for (const { end } of ofClass(source, at, "go"))
    if (!state.segment.clause && !state.segment.noun && !state.segment.verb)
      out.push({ end, state: { ...mark(state, { verb: true }), go: true, polite: true } });
  for (const { end } of ofClass(source, at, "ask"))
    if (!state.segment.clause && !state.segment.noun && !state.segment.verb && !state.segment.term)
      out.push({ end, state: { ...mark(state, { asked: true }), polite: true } });
  const draft = state.drafts.at(-1);
  if (draft?.frame != null)
    for (const { end, value } of ofClass(source, at, "own")) if (value === draft.frame.id && !state.segment.clause) out.push({ end, state: mark(state, {}) });
  if (draft !== undefined && state.segment.verb && !draft.refers)
    for (const { end } of ofClass(source, at, "object")) {
      const drafts = [...state.drafts.slice(0, -1), { ...draft, refers: true }];
      out.push({ end, state: { ...mark(state, {}), drafts } });
    }
  return out;
}

const DRAFTS_MAX = 40;

const begin = (state: State, frame: Frame, word: string, span: Draft["verb"]["span"], args: readonly Arg[]): State => ({
  ...mark(state, { verb: true }),
  drafts: [...state.drafts, { frame, verb: { word, span }, args, refers: false }],
});

/** A verb asks if nothing but its own values, a request phrase or a break stands before it. */
function verbs(source: Source, at: number, state: State): readonly Next[] {
  const { segment } = state;
  if (segment.clause || segment.verb || segment.term || state.drafts.length >= DRAFTS_MAX) return [];
  const out: Next[] = [];
  for (const { end, entry } of source.vocabulary.matches(source.tokens, at)) {
    if (entry.cls === "verb" && entry.frame !== null && !segment.noun) out.push({ end, state: begin(state, entry.frame, entry.value, spanOf(source, at, end), []) });
    if (entry.cls === "noun" && entry.frame !== null && !segment.asked) out.push({ end, state: begin(state, entry.frame, entry.value, spanOf(source, at, end), []) });
    if (entry.cls === "wish" && !segment.noun && !segment.asked && segment.start)
      for (const frame of source.vocabulary.language.frames)
        if (wishes.has(frame.id)) out.push({ end, state: begin(state, frame, "want", spanOf(source, at, end), []) });
  }
  return out;
}

const wishes = new Set(["buy", "withdraw"]);

/** "Bob gets 5 USDC", "5 USDC goes to Bob", "half becomes DAI": the values before the verb belong to it. */
function subjects(source: Source, at: number, state: State): readonly Next[] {
  const { segment } = state;
  if (segment.verb || segment.clause || state.drafts.length >= DRAFTS_MAX) return [];
  const out: Next[] = [];
  const frameOf = (id: string): Frame | undefined => source.vocabulary.language.frames.find((frame) => frame.id === id);
  const last = state.loose.at(-1);
  const lead = (cls: string, id: string, fits: (arg: Arg) => boolean): void => {
    const frame = frameOf(id);
    if (frame === undefined || last === undefined || !segment.slots || !fits(last)) return;
    for (const { end } of ofClass(source, at, cls)) {
      const state2 = begin({ ...state, loose: state.loose.slice(0, -1) }, frame, cls, spanOf(source, at, end), [{ ...last, marker: "" }]);
      out.push({ end, state: state2 });
    }
  };
  lead("gets", "transfer", ({ value }) => value.type === "party" && value.party.kind !== "self");
  lead("goes", "transfer", ({ value }) => value.type === "amount");
  lead("becomes", "swap", ({ value }) => value.type === "amount");
  for (const { end } of ofClass(source, at, "owes")) if (segment.start) out.push({ end, state: mark(state, { term: true }) });
  // What somebody wants gives values, and asks for nothing.
  if (segment.slots || segment.noun || segment.copula || segment.term)
    for (const { end } of ofClass(source, at, "wants")) out.push({ end, state: mark(state, { term: true }) });
  return out;
}

/** "amount: 300", "the network is Base", "recipient 0x…". */
function fields(source: Source, at: number, state: State): readonly Next[] {
  const { segment } = state;
  if (segment.clause || (segment.verb && !segment.slots)) return [];
  const from = ["the", "my", "our", "her", "his", "their", "its", "your"].includes(lowAt(source, at)) ? at + 1 : at;
  return ofClass(source, from, "role").flatMap(({ end, value }): Next[] => {
    let open = end;
    while (isMark(source, open, '"')) open += 1;
    const colon = isMark(source, open, ":=") || ["->", "→", "=>"].includes(lowAt(source, open));
    const copula = ["is", "are", "being", "would", "will"].includes(lowAt(source, open)) && lowAt(source, open + 1) !== "be";
    let next = colon || copula ? open + 1 : open;
    if (lowAt(source, open) === "should" && lowAt(source, open + 1) === "be") next = open + 2;
    while (isMark(source, next, '"')) next += 1;
    if (value === "act" || value === "note") {
      const state2 = colon ? endSegment(state) : null;
      return state2 === null ? [] : [{ end: next, state: { ...state2, fields: true } }];
    }
    return argsAt(source, next).flatMap((found): Next[] => {
      if (found.value.marker !== "" && !(value === "to" && found.value.marker === "at")) return [];
      const arg = { ...found.value, marker: `@${value}`, term: copula };
      return place({ ...state, fields: state.fields || colon }, arg).map((next) => ({
        end: found.end,
        state: mark(next, { term: segment.term || copula }),
      }));
    });
  });
}

/** A value belongs to the last verb, if its frame has a role for it; before the first verb it waits. */
function place(state: State, arg: Arg): readonly State[] {
  const draft = state.drafts.at(-1);
  const next = mark(state, { slots: true });
  if (draft === undefined) return [{ ...next, loose: [...state.loose, arg] }];
  if (draft.frame === null || roleOf(draft.frame, arg) === null) return [];
  return [{ ...next, drafts: [...state.drafts.slice(0, -1), { ...draft, args: [...draft.args, arg] }] }];
}

const ARGS_MAX = 200;

function slots(source: Source, at: number, state: State): readonly Next[] {
  const { segment } = state;
  if (segment.clause || state.loose.length > ARGS_MAX) return [];
  return argsAt(source, at).flatMap(({ end, value }): Next[] => {
    const arg = segment.term || segment.copula ? { ...value, term: true } : value;
    return place(state, arg).map((next) => ({ end, state: segment.copula ? mark(next, { term: true }) : next }));
  });
}

/** What must not happen, where a rule compares it with the transaction. */
function bansAt(source: Source, at: number, state: State): readonly Next[] {
  const out: Next[] = [];
  const push = (end: number, negation: Omit<Negation, "span">): void => {
    out.push({ end, state: { ...mark(state, {}), negations: [...state.negations, { ...negation, span: spanOf(source, at, end) }] } });
  };
  for (const { end, value } of ofClass(source, at, "ban")) {
    const [kind = "", acts] = value.split("/");
    push(end, { kind: kind as Negation["kind"], ...(acts === undefined ? {} : { acts: acts.split("|") as Act[] }) });
  }
  if (lowAt(source, at) === "not") {
    const from = ["on", "via", "through", "to", "the", "using"].includes(lowAt(source, at + 1)) ? at + 2 : at + 1;
    for (const { end, value } of chainsAt(source, from)) push(end, { kind: "chain", chain: value });
    for (const { end, value } of ofClass(source, from, "venue")) push(end, { kind: "venue", venue: value });
  }
  return out;
}

/** Words that hold nothing about money or about whether something is asked for. */
function ordinary(source: Source, at: number, state: State): readonly Next[] {
  const { segment } = state;
  if (segment.asked && !segment.verb) return [];
  return ordinaryAt(source, at, segment.start).flatMap(({ end, kind }): Next[] => {
    if (kind === "noun") return [{ end, state: mark(state, { noun: true }) }];
    if (kind === "part" || kind === "mark") return [{ end, state: mark(state, {}) }];
    if (segment.verb) return [];
    const copula = isCopula(source, at);
    if (segment.slots && !copula) return [];
    return [{ end, state: mark(state, copula ? { copula: true, term: segment.slots || segment.term } : { clause: true }) }];
  });
}

const isCopula = (source: Source, at: number): boolean => ofClass(source, at, "pron").length + ofClass(source, at, "cop").length > 0;
