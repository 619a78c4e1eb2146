/** Finds every complete reading of a request. */
import { checkpoint } from "../budget.ts";
import type { Negation, Span, Step } from "../intent.ts";
import { fold } from "../words/phrases.ts";
import { advance, endSegment } from "./kernel/advance.ts";
import { finish } from "./kernel/finish.ts";
import { start, type State } from "./kernel/state.ts";
import type { Vocabulary } from "./lexicon/vocabulary.ts";
import { tokenise } from "./tokens.ts";
import { newMemory, type Source } from "./values.ts";

export type RequestReading = { readonly steps: readonly Step[]; readonly negations: readonly Negation[] };
export type Unread = { readonly span: Span; readonly text: string; readonly why: string };
export type Readings = { readonly readings: readonly RequestReading[]; readonly unread: readonly Unread[] };

/** States kept at one place of the text, and readings of the whole. More of either is not understood. */
const STATES_MAX = 400;
const READINGS_MAX = 24;

export function readRequest(text: string, vocabulary: Vocabulary, labels: readonly string[]): Readings {
  const tokens = tokenise(text, (word) => vocabulary.names.isSymbol(word) || vocabulary.matches([{ kind: "word", text: word, low: word, possessive: false, span: [0, 0], tight: false }], 0).length > 0);
  const source: Source = { tokens, vocabulary, labels: labels.map((label) => fold(label).replace(/[^\p{L}\p{N}'.&-]+/gu, " ").trim().split(" ")), memory: newMemory() };
  const places: Map<string, State>[] = tokens.map(() => new Map());
  const last = new Map<string, State>();
  places[0]?.set("", start);
  let furthest = 0;
  let over = false;
  for (let at = 0; at < tokens.length; at += 1) {
    checkpoint();
    for (const state of places[at]?.values() ?? []) {
      furthest = at;
      for (const { end, state: next } of advance(source, at, state)) {
        const into = end >= tokens.length ? last : places[end];
        if (into === undefined) continue;
        if (into.size >= STATES_MAX) over = true;
        else into.set(keyOf(next), next);
      }
    }
  }
  if (over) return unreadFrom(source, furthest, "there are too many ways to read this");
  const chainId = (name: string): number | null => vocabulary.names.chainNamed(name)?.id ?? null;
  const found = new Map<string, RequestReading>();
  let reached = false;
  for (const state of last.values()) {
    const ended = state.brackets === 0 ? endSegment(state) : null;
    if (ended === null) continue;
    reached = true;
    const steps = finish(ended, vocabulary.language.frames, { chainId });
    if (steps !== null) found.set(shapeOf(steps), { steps, negations: ended.negations });
  }
  if (found.size > READINGS_MAX) return unreadFrom(source, 0, "there are too many ways to read this");
  if (found.size > 0) return { readings: [...found.values()], unread: [] };
  return unreadFrom(source, last.size > 0 ? 0 : furthest, reached ? "we found no complete request in this" : "we could not tell what this means");
}

function unreadFrom({ tokens }: Source, at: number, why: string): Readings {
  const token = tokens[at];
  if (token === undefined) return { readings: [], unread: [{ span: [0, 0], text: "", why }] };
  return { readings: [], unread: [{ span: token.span, text: token.text, why }] };
}

const keyOf = ({ drafts, loose, segment, negations, go, bare, brackets, polite, fields }: State): string => {
  const args = (list: State["loose"]): string => list.map((arg) => `${arg.marker}${arg.bound ?? ""}${arg.value.type}${arg.span.join("-")}${arg.term ? "t" : ""}`).join();
  return [
    drafts.map((draft) => `${draft.frame?.id ?? ""}@${draft.verb.span.join("-")}[${args(draft.args)}]${draft.refers ? "r" : ""}`).join(";"),
    args(loose),
    Object.values(segment).map(Number).join(""),
    negations.length, Number(go), Number(bare), brackets, Number(polite), Number(fields),
  ].join("|");
};

/** Readings that differ only in places are one. */
const shapeOf = (steps: readonly Step[]): string =>
  JSON.stringify(steps, (key, value: unknown) => (key === "span" || key === "verb" || key === "called" ? undefined : typeof value === "bigint" ? String(value) : value));
