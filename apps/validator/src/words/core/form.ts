/**
 * Reads a form: "Token: USDC, amount: 5, to: 0x…". Every part of the text is a field with a known label and a value of its kind, or a heading or
 * formula. A label that is not known, such as "when" or "condition", leaves the text unread.
 */
import { fold } from "../phrases.ts";
import { findUnread, isGo, type Position } from "./check-words.ts";
import { ClauseWords } from "./clause-words.ts";
import type { Grammar } from "./grammar.ts";
import { fieldNames, labels, type FieldName } from "./lexicon/fields.ts";
import { phraseForm, verbOf, type Field } from "./form-sentence.ts";
import type { Part } from "./parts.ts";
import type { Token } from "./tokens.ts";

/** The sentence that a form asks for; null if the text is no form, or a field is not read. */
export function readForm(
  tokens: readonly Token[],
  language: string,
  grammar: Grammar,
): readonly Part[] | null {
  if (tokens.some(isQuestionMark)) return null;
  const fields: Field[] = [];
  for (const [index, piece] of piecesOf(tokens, isRow).entries()) {
    const found = fieldsOf(piece, language);
    if (found?.every((field) => isRead(field, grammar)) === true) fields.push(...found);
    else if (!isHeading(piece, index === 0, grammar)) return null;
  }
  return fields.length < FIELDS_MIN ? null : phraseForm(fields, grammar);
}

const FIELDS_MIN = 3;

const isRow = ({ kind, low }: Token): boolean =>
  kind === "break" || (kind === "mark" && /^[|;；]$/u.test(low));
const isQuestionMark = ({ kind, low }: Token): boolean => kind === "break" && /[?？]/u.test(low);
const isComma = ({ kind, low }: Token): boolean => kind === "mark" && /^[,，]$/u.test(low);

function piecesOf(tokens: readonly Token[], isEnd: (token: Token) => boolean): readonly (readonly Token[])[] {
  const pieces: Token[][] = [[]];
  for (const token of tokens)
    if (isEnd(token)) pieces.push([]);
    else pieces.at(-1)?.push(token);
  return pieces.map(withoutBullet).filter(({ length }) => length > 0);
}

const withoutBullet = (piece: readonly Token[]): readonly Token[] =>
  piece.slice(
    Math.max(
      0,
      piece.findIndex(({ kind, low }) => kind !== "mark" || !/^[-–—*•·]$/u.test(low)),
    ),
  );

/** One field, or several that commas separate. */
function fieldsOf(piece: readonly Token[], language: string): readonly Field[] | null {
  const whole = fieldOf(piece, language);
  const parts = piecesOf(piece, isComma).map((part) => fieldOf(part, language));
  const several = parts.filter((part) => part !== null);
  if (several.length > 1 && several.length === parts.length) return several;
  return whole === null ? null : [whole];
}

function fieldOf(piece: readonly Token[], language: string): Field | null {
  const mark = piece.findIndex(({ kind, low }) => kind === "mark" && /^[:：=]$/u.test(low));
  const value = piece.findIndex(({ kind }) => kind !== "word" && kind !== "mark" && kind !== "operator");
  const end = mark > 0 ? mark : value;
  const name = nameOf(piece.slice(0, end), language);
  return name === null ? null : { name, value: piece.slice(mark > 0 ? mark + 1 : end) };
}

/** "min_out", "Min. out" */
function nameOf(tokens: readonly Token[], language: string): FieldName | null {
  const said = tokens.flatMap(({ kind, low }) => (kind === "mark" ? [] : [low])).join(" ");
  const isLabel = (list: string | undefined): boolean =>
    (list ?? "").split(",").some((label) => fold(label.trim()) === said);
  const found = fieldNames.find((name) => isLabel(labels[language]?.[name]) || isLabel(labels["en"]?.[name]));
  return said === "" ? null : (found ?? null);
}

/** The kinds of values that a field may hold. Other words only describe them. */
const KINDS: Readonly<Record<FieldName, readonly Token["kind"][]>> = {
  action: ["asset"],
  asset: ["asset"],
  amount: ["money", "number"],
  party: ["address", "chain"],
  spender: ["address", "chain"],
  network: ["chain", "venue", "rate"],
  venue: ["venue", "rate", "chain"],
  give: ["money", "asset", "number"],
  get: ["money", "asset", "number"],
  least: ["money", "number"],
  fee: ["rate", "number", "asset"],
  memo: ["number", "date", "asset", "chain"],
  state: [],
};

function isRead({ name, value }: Field, grammar: Grammar): boolean {
  if (name === "action") return verbOf(value, grammar) !== null;
  if (name === "state") return isGo({ tokens: value, end: "line" }, grammar);
  const words = new ClauseWords(value, grammar, []);
  if (findUnread({ tokens: value.slice(words.parts()[0]?.to), end: "line" }, AFTER, grammar) !== null)
    return false;
  return (
    words.rest(0, value.length, (at) => {
      const token = value[at];
      if (token === undefined || words.changes(at)) return 0;
      if (token.kind === "word") return isDescription(words, at, name);
      return Number(words.isPause(at) || KINDS[name].includes(token.kind)) || words.counts(at);
    }) === null
  );
}

/** After a comma a value is held to the rules of a sentence after the request. */
const AFTER: Position = { act: -1, isBefore: false, isSigned: false, isLabelled: false, money: [] };

/** A reason may hold words in no list, unless they look like a verb that takes something back. */
function isDescription(words: ClauseWords, at: number, name: FieldName): number {
  const known = words.plain(at, "explains", "least", "pool");
  const isOpen = name === "memo" && !words.isAct(at) && !/(?:ed|ing)$/.test(words.at(at)?.low ?? "");
  return known || Number(isOpen);
}

function isHeading(piece: readonly Token[], isFirst: boolean, grammar: Grammar): boolean {
  const clause = { tokens: piece, end: "mark" } as const;
  if (isGo({ ...clause, end: "line" }, grammar)) return true;
  const position = { act: -1, isBefore: true, isSigned: false, isLabelled: false, money: [] };
  const isBare = piece.every(({ kind }) => kind === "word" || kind === "mark" || kind === "number");
  return isFirst && isBare && findUnread(clause, position, grammar) === null;
}
