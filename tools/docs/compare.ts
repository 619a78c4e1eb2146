// Compares what a document shows with what was printed. An ellipsis stands for what differs from run to run.
import { isDeepStrictEqual } from "node:util";

const ellipsis = "…";

/** In the place of a value it stands for any; as a name or a last element, for whatever else there is; in a string, for some of it. */
export function matchesJson(shown: unknown, printed: unknown): boolean {
  if (typeof shown === "string") return matchesString(shown, printed);
  if (Array.isArray(shown)) return Array.isArray(printed) && matchesList(shown, printed);
  if (isRecord(shown)) return isRecord(printed) && matchesRecord(shown, printed);
  return isDeepStrictEqual(shown, printed);
}

/** A line that is only an ellipsis stands for any number of lines. Blanks at the end of lines do not count. */
export function matchesText(shown: string, printed: string): boolean {
  const lines = linesOf(shown).map((line) =>
    line.trim() === ellipsis ? "(?:.*\\n)*?" : `${patternOf(line)}\\n`,
  );
  return new RegExp(`^${lines.join("")}$`).test(
    linesOf(printed)
      .map((line) => `${line}\n`)
      .join(""),
  );
}

const matchesString = (shown: string, printed: unknown): boolean =>
  shown === ellipsis ||
  (typeof printed === "string" && new RegExp(`^${patternOf(shown, "[^]*")}$`).test(printed));

function matchesList(shown: readonly unknown[], printed: readonly unknown[]): boolean {
  const isOpen = shown.at(-1) === ellipsis;
  const listed = isOpen ? shown.slice(0, -1) : shown;
  if (isOpen ? printed.length < listed.length : printed.length !== listed.length) return false;
  return listed.every((value, index) => matchesJson(value, printed[index]));
}

function matchesRecord(
  shown: Readonly<Record<string, unknown>>,
  printed: Readonly<Record<string, unknown>>,
): boolean {
  const names = Object.keys(shown).filter((name) => name !== ellipsis);
  if (!(ellipsis in shown) && Object.keys(printed).length !== names.length) return false;
  return names.every((name) => Object.hasOwn(printed, name) && matchesJson(shown[name], printed[name]));
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const patternOf = (text: string, anything = ".*"): string =>
  text
    .split(ellipsis)
    .map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&"))
    .join(anything);

const linesOf = (text: string): string[] =>
  text
    .trim()
    .split("\n")
    .map((line) => line.trimEnd());
