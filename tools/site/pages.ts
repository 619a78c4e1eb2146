// Which documents become pages, where they lie on the site, and in which order they are read. The site has the folders of the
// repository, so that a link in a document is the same link on its page.
import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

export type Page = {
  /** From the root of the repository on. */
  readonly source: string;
  /** From the root of the site on. */
  readonly path: string;
  readonly title: string;
  readonly text: string;
};

export type Section = { readonly title: string; readonly pages: readonly Page[] };

// Excluded: generated, private or third-party files.
const left = ["node_modules", ".git", ".data", "dist", ".changeset"];
const generatedIndexes: Readonly<Record<string, string>> = {
  "docs/decisions/README.md": "Decisions",
  "docs/guides/README.md": "Guides",
};

export function readPages(root: string): readonly Page[] {
  const sources = globSync("**/*.md", { cwd: root, exclude: (name) => left.includes(basename(name)) }).sort();
  const pages = sources.map((source) => pageOf(source, readFileSync(join(root, source), "utf8")));
  return [...pages, ...indexesOf(pages)];
}

function pageOf(source: string, whole: string): Page {
  const text = whole.replace(/^---\n[^]*?\n---\n/, "");
  const [, title = source] = /^# (.+)$/m.exec(text) ?? [];
  return { source, path: pathOf(source), title: title.replaceAll("`", ""), text };
}

/** A README is what is shown of its folder. */
const pathOf = (source: string): string =>
  basename(source) === "README.md" ? join(dirname(source), "index.html") : source.replace(/\.md$/, ".html");

/** A folder that documents point to and that has no README of its own gets a list of what is in it. */
function indexesOf(pages: readonly Page[]): readonly Page[] {
  return Object.entries(generatedIndexes)
    .filter(([source]) => !pages.some((page) => page.source === source))
    .map(([source, title]) => {
      const listed = pages.filter((page) => dirname(page.source) === dirname(source));
      const links = listed.map((page) => `- [${page.title}](${basename(page.source)})`);
      return { source, path: pathOf(source), title, text: `# ${title}\n\n${links.join("\n")}\n` };
    })
    .filter(({ text }) => text.includes("]("));
}

type Outline = { readonly title: string; readonly matches: (source: string) => boolean };

const outline: readonly Outline[] = [
  { title: "Start", matches: (source) => ["README.md", "ARCHITECTURE.md"].includes(source) },
  { title: "Guides", matches: (source) => /^docs\/guides\/(?!README)/.test(source) },
  { title: "Examples", matches: (source) => source.startsWith("examples/") },
  { title: "Reference", matches: (source) => source.startsWith("docs/reference/") },
  {
    title: "Parts",
    matches: (source) =>
      /^(?:apps|packages|clients|contracts|skills)(?:\/[^/]+)?\/(?:README|SKILL)\.md$/.test(source),
  },
  {
    title: "Working on it",
    matches: (source) => /^(?:CONTRIBUTING|SECURITY|docs\/[^/]+|tools\/README)(?:\.md)?$/.test(source),
  },
  { title: "Decisions", matches: (source) => /^docs\/decisions\/\d/.test(source) },
];

/** Guides come in the order of `llms.txt`, which is the order in which one would read them. */
export function sectionsOf(pages: readonly Page[], llms: string): readonly Section[] {
  const rank = ({ source }: Page): number => {
    const place = llms.indexOf(`(${source.replace(/^docs\//, "")})`);
    return place === -1 ? Infinity : place;
  };
  return outline
    .map(({ title, matches }) => ({
      title,
      pages: pages
        .filter(({ source }) => matches(source))
        .sort((a, b) => compare(rank(a), rank(b)) || compare(depthOf(a), depthOf(b)) || readmeFirst(a, b)),
    }))
    .filter((section) => section.pages.length > 0);
}

const compare = (a: number, b: number): number => (a === b ? 0 : a < b ? -1 : 1);
const depthOf = ({ source }: Page): number => source.split("/").length;
const isReadme = ({ source }: Page): number => (basename(source) === "README.md" ? 0 : 1);
const readmeFirst = (a: Page, b: Page): number =>
  compare(isReadme(a), isReadme(b)) || (a.source < b.source ? -1 : 1);
