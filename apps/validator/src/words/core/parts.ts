/** A canonical sentence in parts: each value knows the token that it comes from. */
import type { Decimal, Span } from "../../intent.ts";
import type { Token } from "./tokens.ts";

export type Part = { readonly text: string; readonly token: Token | null };

type Value = Token | string | readonly Part[];

/** say`Send ${money} to ${address}.` */
export const say = (words: TemplateStringsArray, ...values: readonly Value[]): readonly Part[] =>
  words.flatMap((text, at) => [{ text, token: null }, ...partsOf(values[at] ?? "")]);

function partsOf(value: Value): readonly Part[] {
  if (typeof value === "string") return [{ text: value, token: null }];
  return isToken(value) ? [{ text: canonical(value), token: value }] : value;
}

const isToken = (value: Token | readonly Part[]): value is Token => "kind" in value;

function canonical(token: Token): string {
  if (token.kind === "money") return `${inDigits(token.amount)} ${token.asset}`;
  if (token.kind === "rate") return `${inDigits(token.amount)}%`;
  if (token.kind === "asset") return token.asset;
  return token.kind === "address" ? token.address : token.low;
}

/** An exact decimal without separators. */
const inDigits = ({ digits, scale }: Decimal): string => {
  if (scale <= 0) return (digits * 10n ** BigInt(-scale)).toString();
  const text = digits.toString().padStart(scale + 1, "0");
  const fraction = text.slice(-scale).replace(/0+$/, "");
  return fraction === "" ? text.slice(0, -scale) : `${text.slice(0, -scale)}.${fraction}`;
};

export const textOf = (parts: readonly Part[]): string => parts.map(({ text }) => text).join("");

/** Replaces every `span` in the sentence by the place in the text of the tokens that it covers, or by `fallback`. */
export function placeBack<T>(value: T, parts: readonly Part[], fallback: Span): T {
  if (Array.isArray(value)) return value.map((one: unknown) => placeBack(one, parts, fallback)) as T;
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, one]: [string, unknown]) => [
    key,
    key === "span" ? covered(one as Span, parts, fallback) : placeBack(one, parts, fallback),
  ]);
  return Object.fromEntries(entries) as T;
}

function covered([start, end]: Span, parts: readonly Part[], fallback: Span): Span {
  const tokens: Token[] = [];
  let at = 0;
  for (const { text, token } of parts) {
    if (token !== null && at < end && at + text.length > start) tokens.push(token);
    at += text.length;
  }
  if (tokens.length === 0) return fallback;
  return [Math.min(...tokens.map((token) => token.start)), Math.max(...tokens.map((token) => token.end))];
}
