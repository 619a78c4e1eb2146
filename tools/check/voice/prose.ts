import { extname } from "node:path";
import ts from "typescript";

/** One comment, string or paragraph. `start` is its offset in the file, and every offset inside it is kept. */
export type Prose = {
  readonly kind: "comment" | "string" | "test name" | "document";
  readonly start: number;
  readonly text: string;
};

type Range = { readonly start: number; readonly end: number };

const blank = (text: string): string => text.replaceAll(/[^\n]/g, " ");
const TEST_CALLS = new Set(["test", "it", "describe"]);

/** Code in backticks is quoted, not written, so it is blanked out. */
const withoutCode = (text: string): string => text.replaceAll(/`[^`\n]*`/g, blank);

const withoutMarkers = (text: string): string =>
  text.replaceAll(/^\s*(?:\/\/+|\/\*+|\*+\/?|--|#+!?)|\*\/$/gm, blank);

/** Joins line comments that follow each other directly: a sentence goes on from one to the next. */
function joinLines(source: string, comments: readonly Range[]): readonly Range[] {
  const joined: Range[] = [];
  for (const next of comments) {
    const last = joined.at(-1);
    const adjacent = last !== undefined && /^[^\S\n]*\n[^\S\n]*$/.test(source.slice(last.end, next.start));
    if (adjacent) joined.splice(-1, 1, { start: last.start, end: next.end });
    else joined.push(next);
  }
  return joined;
}

const comment = (source: string, { start, end }: Range): Prose => ({
  kind: "comment",
  start,
  text: withoutCode(withoutMarkers(source.slice(start, end))),
});

function nameOfCall(expression: ts.Expression): string {
  if (ts.isIdentifier(expression)) return expression.text;
  if (ts.isPropertyAccessExpression(expression) || ts.isCallExpression(expression))
    return nameOfCall(expression.expression);
  return ts.isTaggedTemplateExpression(expression) ? nameOfCall(expression.tag) : "";
}

const isLiteral = (node: ts.Node): boolean =>
  ts.isStringLiteralLike(node) ||
  ts.isTemplateHead(node) ||
  ts.isTemplateMiddleOrTemplateTail(node) ||
  ts.isJsxText(node) ||
  ts.isRegularExpressionLiteral(node);

function textOf(source: string, node: ts.Node, start: number): string {
  if (ts.isJsxText(node)) return source.slice(start, node.end);
  return source.slice(start + 1, node.end - 1).replace(/\$$/, "");
}

/** Finds the strings of a syntax tree, and where its literals are. */
function readLiterals(file: ts.SourceFile): {
  readonly strings: readonly Prose[];
  readonly all: readonly Range[];
} {
  const strings: Prose[] = [];
  const all: Range[] = [];
  const names = new Set<ts.Node>();
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && TEST_CALLS.has(nameOfCall(node.expression))) {
      const [name] = node.arguments;
      if (name !== undefined) names.add(name);
    }
    if (isLiteral(node)) {
      const start = node.getStart(file);
      const text = textOf(file.text, node, start);
      all.push({ start, end: node.end });
      // A string without a space is a name: an id, a path, a member of an enumeration.
      if (!ts.isRegularExpressionLiteral(node) && /\S\s+\S/.test(text)) {
        const kind = names.has(node) ? "test name" : "string";
        strings.push({ kind, start: file.text.indexOf(text, start), text: withoutCode(text) });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return { strings, all };
}

/** TypeScript: strings come from the syntax tree; outside of them `//` and `/*` can only begin a comment. */
function readTypeScript(path: string, source: string): readonly Prose[] {
  const { strings, all } = readLiterals(ts.createSourceFile(path, source, ts.ScriptTarget.Latest, false));
  const comments: Range[] = [];
  const token = /\/\/[^\n]*|\/\*[\s\S]*?\*\//g;
  let literal = 0;
  for (let match = token.exec(source); match !== null; match = token.exec(source)) {
    const start = match.index;
    while ((all[literal]?.end ?? Infinity) <= start) literal += 1;
    const inside = all[literal];
    if (inside !== undefined && inside.start < start) token.lastIndex = inside.end;
    else comments.push({ start, end: token.lastIndex });
  }
  return [...strings, ...joinLines(source, comments).map((range) => comment(source, range))];
}

const languages: Readonly<Record<string, RegExp>> = {
  c: /(?<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|(?<comment>\/\/[^\n]*|\/\*[\s\S]*?\*\/)/g,
  sql: /(?<string>'(?:''|[^'])*')|(?<comment>--[^\n]*|\/\*[\s\S]*?\*\/)/g,
  python: /(?<string>"""[\s\S]*?"""|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|(?<comment>#[^\n]*)/g,
  shell: /(?<string>"(?:\\.|[^"\\])*")|(?<comment>(?<=^|\s)#[^\n]*)/g,
};

function readTokens(source: string, tokens: RegExp): readonly Prose[] {
  const matches = [...source.matchAll(tokens)];
  const comments = matches
    .filter(({ groups }) => groups?.["comment"] !== undefined)
    .map(({ index, 0: { length } }) => ({ start: index, end: index + length }));
  const strings = matches
    .filter(({ groups }) => /\S\s+\S/.test(groups?.["string"] ?? ""))
    .map(({ index, 0: text }): Prose => ({ kind: "string", start: index + 1, text: text.slice(1, -1) }));
  return [...strings, ...joinLines(source, comments).map((range) => comment(source, range))];
}

/** Markdown: paragraphs, without code fences, code spans and the addresses of links. */
function readMarkdown(source: string): readonly Prose[] {
  const text = source
    .replaceAll(/^([ \t]*)(`{3,}|~{3,})[\s\S]*?^[ \t]*\2[^\S\n]*$/gm, blank)
    .replaceAll(/`[^`\n]*`/g, blank)
    .replaceAll(/\]\([^)\s]*\)/g, blank);
  return [...text.matchAll(/(?:[^\n]*\S[^\n]*(?:\n|$))+/g)].map(({ index, 0: paragraph }): Prose => ({
    kind: "document",
    start: index,
    text: paragraph,
  }));
}

const readers: Readonly<Record<string, (path: string, source: string) => readonly Prose[]>> = {
  ...Object.fromEntries([".ts", ".tsx", ".mjs", ".js"].map((ext) => [ext, readTypeScript])),
  ...Object.fromEntries(
    [".md", ".txt"].map((ext) => [ext, (_: string, source: string) => readMarkdown(source)]),
  ),
  ".sol": (_, source) => readTokens(source, languages["c"] ?? /$^/g),
  ".css": (_, source) => readTokens(source, languages["c"] ?? /$^/g),
  ".sql": (_, source) => readTokens(source, languages["sql"] ?? /$^/g),
  ".py": (_, source) => readTokens(source, languages["python"] ?? /$^/g),
  "": (_, source) => (source.startsWith("#!") ? readTokens(source, languages["shell"] ?? /$^/g) : []),
};

/** Returns everything in a file that a person wrote for another person to read. Files of other types have none. */
export function readProse(path: string, source: string): readonly Prose[] {
  return readers[extname(path)]?.(path, source) ?? [];
}
