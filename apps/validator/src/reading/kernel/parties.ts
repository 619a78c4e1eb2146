/** Parties: addresses with what they are called, names, contacts, the owner's own accounts, pronouns. */
import { fold } from "../../words/phrases.ts";
import { isMark, lowAt, memoize, ofClass, spanOf, type Party, type Read, type Source } from "../values.ts";
import { isNamed, isNoun, isProperName } from "./ordinary.ts";

const LABEL_MAX = 9;

export const partiesAt = (source: Source, at: number): readonly Read<Party>[] => memoize(source, source.memory.parties, at, findParties);

function findParties(source: Source, at: number): readonly Read<Party>[] {
  const { tokens } = source;
  const token = tokens[at];
  const out: Read<Party>[] = [];
  if (token?.kind === "address") out.push({ end: at + 1, value: { kind: "address", address: token.address, span: token.span } });
  if (token?.kind === "name")
    out.push({ end: at + 1, value: { kind: "name", name: token.name.toLowerCase(), normalised: true, span: token.span } });
  for (const { end } of ofClass(source, at, "self")) out.push({ end, value: { kind: "self", span: spanOf(source, at, end) } });
  for (const { end } of ofClass(source, at, "person")) out.push({ end, value: { kind: "pronoun", span: spanOf(source, at, end) } });
  out.push(...labelledAt(source, at));
  return out;
}

const knownAt = (source: Source, at: number): readonly { end: number; label: string }[] =>
  source.labels.flatMap((words) => {
    const whole = words.every((word, offset) => {
      const token = source.tokens[at + offset];
      return token !== undefined && fold(token.text).replace(/'s$/, "") === word;
    });
    return whole && words.length > 0
      ? [{ end: at + words.length, label: source.tokens.slice(at, at + words.length).map(({ text }) => text).join(" ") }]
      : [];
  });

type Label = {
  readonly end: number;
  readonly label: string;
  /** Names somebody by itself. */
  readonly names: boolean;
};

/** "my landlord", "Hernández & Sons", "the dev", "Mr. Okafor": what a party is called, of every length. */
function labelsAt(source: Source, at: number): readonly Label[] {
  const out: Label[] = [];
  const { vocabulary, tokens } = source;
  if (startsInside(source, at)) return [];
  let names = false;
  let venue = false;
  let known: string | null = null;
  for (let end = at; end < at + LABEL_MAX; ) {
    const token = tokens[end];
    const found = knownAt(source, end).sort((a, b) => b.end - a.end)[0];
    if (found !== undefined) {
      known = found.label;
      names = true;
      end = found.end;
    } else if (token?.kind === "mark" && "&.-'".includes(token.mark) && end > at && (token.mark !== "." || /^(?:mr|mrs|ms|dr|st|inc|ltd|co)$/.test(lowAt(source, end - 1)))) {
      end += 1;
      continue;
    } else if (token?.kind === "word") {
      const { low } = token;
      const article = ["my", "our", "the", "a", "an", "her", "his", "their", "this", "that", "your"].includes(low);
      const noun = vocabulary.is(low, "person") || vocabulary.is(low, "firstName") || isProperName(source, end, end === at && at === 0) || (end === at && /^\p{Lu}\p{Ll}/u.test(token.text) && at > 0 && !vocabulary.names.isEnglish(low));
      const beside = vocabulary.is(low, "adjective") || vocabulary.is(low, "thing") || ["of", "at", "for", "mr", "mrs", "ms", "dr", "van", "der", "de", "von", "la", "ltd", "inc", "co", "llc", "gmbh", "and", "old", "from", "in"].includes(low);
      if (isNamed(source, end)) {
        if (ofClass(source, end, "venue").length === 0) break;
        venue = true;
      } else if (!article && !noun && !beside && ofClass(source, end, "role").every(({ value }) => value !== "to")) break;
      if (noun) names = true;
      end += 1;
      const last = tokens[end - 1];
      if (article || ["of", "at", "for", "and", "van", "der", "de", "from", "in"].includes(low)) continue;
      if (last === undefined) break;
    } else break;
    const label = known ?? tokens.slice(at, end).map(({ text }) => text).join(" ").replace(/^(?:to|for) /, "");
    out.push({ end, label, names: names && !venue });
  }
  return out;
}

/** A phrase begins where no word before it belongs to it. */
const startsInside = (source: Source, at: number): boolean => {
  const before = source.tokens[at - 1];
  if (before?.kind === "mark" && "&-'".includes(before.mark)) return true;
  if (before?.kind !== "word" || source.tokens[at]?.kind !== "word") return false;
  return ["my", "our", "the", "a", "an", "her", "his", "their", "this", "that"].includes(before.low) || (isNoun(source, at - 1) && !isNamed(source, at - 1)) || source.vocabulary.is(before.low, "adjective") || isProperName(source, at - 1, false);
};

/** A label alone, or with the address it belongs to: "Bob (0x…)", "my sister's wallet is 0x…", "cold storage = 0x…". */
function labelledAt(source: Source, at: number): readonly Read<Party>[] {
  const labels = labelsAt(source, at);
  const longest = labels.filter(({ names }) => names).at(-1);
  return labels.flatMap((one) => {
    const { end, label } = one;
    const out: Read<Party>[] = [];
    if (one === longest) out.push({ end, value: { kind: "contact", label, span: spanOf(source, at, end) } });
    const open = bridge(source, end);
    for (const start of open) {
      const token = source.tokens[start];
      if (token?.kind !== "address") continue;
      const stop = isMark(source, start + 1, ")") && isMark(source, start - 1, "(") ? start + 2 : start + 1;
      out.push({ end: stop, value: { kind: "address", address: token.address, called: label, span: token.span } });
    }
    return out;
  });
}

/** Where an address may start behind what it is called. */
function bridge(source: Source, at: number): readonly number[] {
  const starts = [at];
  if (isMark(source, at, "(:=,-–—@[<") || ["→", "->", "=>"].includes(lowAt(source, at))) starts.push(at + 1);
  if (["is", "at", "=", "on", "are", "under", "being", "address", "wallet"].includes(lowAt(source, at))) {
    starts.push(at + 1);
    if (isMark(source, at + 1, ":")) starts.push(at + 2);
  }
  return starts;
}
