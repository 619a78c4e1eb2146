/** Splits tokens into clauses. Each clause asks for something, states a value, or is an aside. */
import type { Token } from "./tokens.ts";
import type { Grammar } from "./grammar.ts";

export type Clause = {
  readonly tokens: readonly Token[];
  /** Its end: a sentence, a question, an exclamation, a line, a mark such as ":", or a word such as "so". */
  readonly end: "sentence" | "question" | "exclamation" | "line" | "mark" | "therefore";
};

const isSeparator = ({ kind, low }: Token): boolean => kind === "mark" && /^[:;：；—–|•·]$/u.test(low);
/** "09:56" */
const isTime = (before: Token | undefined, next: Token | undefined): boolean =>
  /^\d+$/.test(before?.text ?? "") && /^\d+$/.test(next?.text ?? "");
/** ":)" */
const isSmile = (next: Token | undefined): boolean => next?.kind === "mark" && /^[()]$/.test(next.low);
/** "Invoice no.:" */
const isAbbreviated = ({ text }: Token, next: Token | undefined): boolean =>
  text === "." && next?.low === ":";
function endOf({ text }: Token): Clause["end"] {
  if (/[?？]/u.test(text)) return "question";
  if (/[!！]/u.test(text)) return "exclamation";
  return /[\r\n]/.test(text) ? "line" : "sentence";
}

export function clausesOf(tokens: readonly Token[], grammar: Grammar): readonly Clause[] {
  const clauses: Clause[] = [];
  let open: Token[] = [];
  const close = (end: Clause["end"]): void => {
    if (open.length > 0) clauses.push({ tokens: open, end });
    open = [];
  };
  for (let at = 0; at < tokens.length;) {
    const token = tokens[at];
    if (token === undefined) break;
    const formula = grammar.phraseAt(tokens, at, ["thanks", "filler", "greet", "frames", "neg"]);
    if (formula > 1) {
      open.push(...tokens.slice(at, at + formula));
      at += formula;
      continue;
    }
    const therefore = grammar.phraseAt(tokens, at, ["therefore"]);
    if (token.kind === "break" && !isAbbreviated(token, tokens[at + 1])) close(endOf(token));
    else if (isSeparator(token) && !isSmile(tokens[at + 1]) && !isTime(tokens[at - 1], tokens[at + 1]))
      close("mark");
    else if (therefore > 0) close("therefore");
    else if (token.kind !== "break") open.push(token);
    at += Math.max(1, therefore);
  }
  close("sentence");
  return clauses;
}
