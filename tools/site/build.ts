// The whole site, as files. Nothing is written here, so that a test can look at it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { renderSheet } from "./layout.ts";
import { isRaw, listingOf, makeLinks, type LinkFault } from "./links.ts";
import { headingsOf, renderCode, renderMarkdown } from "./markdown.ts";
import { readPages, sectionsOf, type Page, type Section } from "./pages.ts";

export type Site = {
  readonly files: ReadonlyMap<string, string>;
  readonly pages: number;
  readonly faults: readonly LinkFault[];
};

/** Always there to be taken away, also when no page points to them. */
const downloads = ["api", "validator", "orion", "simulator"].map(
  (name) => `docs/reference/openapi.${name}.json`,
);
const asset = (name: string): string => readFileSync(join(import.meta.dirname, "assets", name), "utf8");

export function buildSite(root: string): Site {
  const read = (file: string): string => readFileSync(join(root, file), "utf8");
  const pages = readPages(root);
  const llms = read("docs/llms.txt");
  const sections = sectionsOf(pages, llms);
  const headings = new Map(pages.map((page) => [page.source, headingsOf(page.text)]));
  const anchors = new Map([...headings].map(([source, all]) => [source, new Set(all.map(({ id }) => id))]));
  const links = makeLinks(root, pages, anchors);

  const files = new Map<string, string>();
  for (const page of pages) {
    const body = renderMarkdown(page.text, (href) => links.resolve(page, href));
    const own = headings.get(page.source) ?? [];
    files.set(page.path, renderSheet({ page, body, headings: own, sections, hasText: true }));
    files.set(page.source, page.text);
  }
  const llmsAtRoot = checkLlms(llms, (href) => links.resolve(llmsPage, href));
  for (const file of new Set([...links.files, ...downloads])) addFile(files, file, read(file), sections);
  files.set("llms.txt", llmsAtRoot);
  files.set("llms-full.txt", everything(llmsAtRoot, sections));
  files.set("assets/search-index.js", searchIndex(inReadingOrder(pages, sections), headings));
  for (const name of ["site.css", "mark.svg"]) files.set(`assets/${name}`, asset(name));
  // Not a module, which a browser does not load from a disk; so its names are kept to itself here.
  files.set("assets/search.js", `(() => {\n${asset("search.mjs")}})();\n`);
  return { files, pages: pages.length, faults: links.faults };
}

function addFile(files: Map<string, string>, file: string, text: string, sections: readonly Section[]): void {
  if (isRaw(file)) {
    files.set(file, text);
    return;
  }
  const page = { source: file, path: listingOf(file), title: file };
  const body = `<h1>${file}</h1>\n${renderCode(text.trimEnd(), file.split(".").at(-1) ?? "")}`;
  files.set(page.path, renderSheet({ page, body, headings: [], sections, hasText: false }));
}

const llmsPage: Page = { source: "docs/llms.txt", path: "docs/llms.txt", title: "llms.txt", text: "" };

/** Its links are checked like those of any page, and lead to the texts, not to the pages. */
function checkLlms(llms: string, resolve: (href: string) => string): string {
  return llms.replaceAll(/\]\(([^)]*)\)/g, (link, href: string) => {
    resolve(href);
    return /^https?:/.test(href)
      ? link
      : `](docs/${href.endsWith("/") ? `${href}README.md` : href})`.replace("docs/../", "");
  });
}

/** Everything one would read to use the product, in reading order. */
function everything(llms: string, sections: readonly Section[]): string {
  const read = ["Start", "Guides", "Reference"];
  const pages = sections.filter(({ title }) => read.includes(title)).flatMap((section) => section.pages);
  return [llms, ...pages.map(({ source, text }) => `<!-- ${source} -->\n\n${text.trim()}\n`)].join("\n");
}

/** The order of search results with equal weight. */
const inReadingOrder = (pages: readonly Page[], sections: readonly Section[]): readonly Page[] => [
  ...new Set([...sections.flatMap((section) => section.pages), ...pages]),
];

function searchIndex(
  pages: readonly Page[],
  headings: ReadonlyMap<
    string,
    readonly { readonly text: string; readonly id: string; readonly depth: number }[]
  >,
): string {
  const entries = pages.map(({ source, path, title }) => [
    path,
    title,
    (headings.get(source) ?? []).filter(({ depth }) => depth > 1).map(({ id, text }) => [id, text]),
  ]);
  return `globalThis.searchIndex = ${JSON.stringify(entries)};\n`;
}
