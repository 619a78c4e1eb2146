// Markdown as HTML. HTML in a document is shown, not obeyed; only comments are left out.
import { Marked, type Token, type Tokens } from "marked";

export type Heading = { readonly depth: number; readonly text: string; readonly id: string };

const lexer = new Marked();

export const escape = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** With the ids that are used for links to them everywhere else, too. */
export function headingsOf(text: string): readonly Heading[] {
  const seen = new Map<string, number>();
  return lexer.lexer(text).flatMap((token) => {
    if (!isHeading(token)) return [];
    const plain = plainOf(token.tokens);
    const slug = slugOf(plain);
    const times = seen.get(slug) ?? 0;
    seen.set(slug, times + 1);
    return [{ depth: token.depth, text: plain, id: times === 0 ? slug : `${slug}-${times}` }];
  });
}

const isHeading = (token: Token): token is Tokens.Heading => token.type === "heading";

const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-");

const plainOf = (tokens: readonly Token[]): string =>
  tokens
    .map((token) => ("tokens" in token ? plainOf((token as Tokens.Generic).tokens ?? []) : textOf(token)))
    .join("");
const textOf = (token: Token): string => unescape("text" in token ? String(token.text) : token.raw);
const unescape = (text: string): string =>
  text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&");

export function renderMarkdown(text: string, resolve: (href: string) => string): string {
  const headings = headingsOf(text)[Symbol.iterator]();
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const id = headings.next().value?.id ?? "";
        const inner = this.parser.parseInline(tokens);
        const anchor = depth === 1 ? "" : ` <a class="anchor" href="#${id}" aria-label="Link to this">#</a>`;
        return `<h${depth} id="${id}">${inner}${anchor}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        return `<a href="${escape(resolve(href))}">${this.parser.parseInline(tokens)}</a>`;
      },
      image: ({ href, text: alt }) =>
        `<img src="${escape(resolve(href))}" alt="${escape(alt)}" loading="lazy">`,
      // A long name may break where its parts meet, so that a table fits.
      codespan: ({ text: code }) => `<code>${escape(code).replaceAll(/([._/])(?=\w|\{)/g, "$1<wbr>")}</code>`,
      code: ({ text: code, lang }) => renderCode(code, lang ?? ""),
      html: ({ text: html }) => (html.trim().startsWith("<!--") ? "" : escape(html)),
      table(token) {
        const row = (cells: readonly Tokens.TableCell[], tag: string): string =>
          `<tr>${cells.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join("")}</tr>`;
        const rows = token.rows.map((cells) => row(cells, "td")).join("\n");
        return `<div class="wide" tabindex="0"><table>\n<thead>${row(token.header, "th")}</thead>\n<tbody>\n${rows}\n</tbody></table></div>\n`;
      },
    },
  });
  return marked.parse(text, { async: false });
}

/** Only the language is for readers; what follows it is for tools/docs, but for the name of a file. */
export function renderCode(code: string, info: string): string {
  const [language = ""] = info.split(/\s/);
  const [, file] = /\bfile="([^"]*)"/.exec(info) ?? [];
  const caption = file === undefined ? "" : `<figcaption>${escape(file)}</figcaption>`;
  const kind = language === "" ? "drawing" : `language-${escape(language)}`;
  return `<figure>${caption}<pre tabindex="0"><code class="${kind}">${escape(code)}\n</code></pre></figure>\n`;
}
