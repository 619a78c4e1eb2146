// The frame of every page, with navigation that works without scripts.
import { dirname, relative } from "node:path";
import { escape, type Heading } from "./markdown.ts";
import type { Page, Section } from "./pages.ts";

// Nothing comes from elsewhere and nothing runs that is not a file of the site.
const policy =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'";

export type Sheet = {
  readonly page: Pick<Page, "path" | "title" | "source">;
  readonly body: string;
  readonly headings: readonly Heading[];
  readonly sections: readonly Section[];
  /** Whether the text of the page is there as `.md`, too. */
  readonly hasText: boolean;
};

export function renderSheet({ page, body, headings, sections, hasText }: Sheet): string {
  const to = (path: string): string => relative(dirname(page.path), path);
  const title = page.path === "index.html" ? page.title : `${page.title} · Countersign`;
  const text = hasText ? `<link rel="alternate" type="text/markdown" href="${to(page.source)}">\n` : "";
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${escape(title)}</title>
<link rel="icon" href="${to("assets/mark.svg")}" type="image/svg+xml">
<link rel="stylesheet" href="${to("assets/site.css")}">
${text}<script src="${to("assets/search-index.js")}" defer></script>
<script src="${to("assets/search.js")}" defer></script>
</head>
<body data-root="${to("index.html").replace(/index\.html$/, "")}">
<a class="skip" href="#content">To the text</a>
<header>
<a class="home" href="${to("index.html")}"><img src="${to("assets/mark.svg")}" alt="" width="22" height="22">Countersign</a>
<search hidden><input type="search" placeholder="Search  ( / )" aria-label="Search titles and headings" autocomplete="off" spellcheck="false"><ol hidden></ol></search>
</header>
<div class="columns">
${renderNavigation(sections, page, to)}
<main id="content">
<article>
${body}</article>
${renderNeighbours(sections, page, to)}
<footer>${hasText ? `<a href="${to(page.source)}">This page as Markdown</a> · ` : ""}<a href="${to("llms.txt")}">llms.txt</a> · Apache-2.0</footer>
</main>
${renderContents(headings)}
</div>
</body>
</html>
`;
}

type To = (path: string) => string;
type Here = Pick<Page, "path">;

function renderNavigation(sections: readonly Section[], here: Here, to: To): string {
  const groups = sections.map(({ title, pages }) => {
    const isHere = pages.some(({ path }) => path === here.path);
    const items = pages.map((page) => {
      const mark = page.path === here.path ? ' aria-current="page"' : "";
      return `<li><a href="${to(page.path)}"${mark}>${escape(page.title)}</a></li>`;
    });
    const open = isHere || (title === "Guides" && here.path === "index.html") ? " open" : "";
    return `<details${open}><summary>${escape(title)}</summary><ul>\n${items.join("\n")}\n</ul></details>`;
  });
  return `<nav class="site" aria-label="Pages"><details class="menu"><summary>All pages</summary></details><div>\n${groups.join("\n")}\n</div></nav>`;
}

function renderNeighbours(sections: readonly Section[], here: Here, to: To): string {
  const pages = sections.flatMap((section) => section.pages);
  const index = pages.findIndex(({ path }) => path === here.path);
  if (index === -1) return "";
  const link = (page: Page | undefined, rel: string, label: string): string =>
    page === undefined
      ? "<span></span>"
      : `<a rel="${rel}" href="${to(page.path)}"><small>${label}</small>${escape(page.title)}</a>`;
  return `<nav class="neighbours" aria-label="Before and after">${link(pages[index - 1], "prev", "Before")}${link(pages[index + 1], "next", "Next")}</nav>`;
}

function renderContents(headings: readonly Heading[]): string {
  const listed = headings.filter(({ depth }) => depth === 2);
  if (listed.length < 2) return '<div class="contents"></div>';
  const items = listed.map(({ id, text }) => `<li><a href="#${id}">${escape(text)}</a></li>`);
  return `<nav class="contents" aria-label="On this page"><p>On this page</p><ul>\n${items.join("\n")}\n</ul></nav>`;
}
