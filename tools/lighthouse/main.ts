// Runs Lighthouse on the pages of a running stack: node tools/lighthouse/main.ts [--runs N] [--cpu N] [--web URL] [--out DIR]
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { findRunningStack } from "../dev/stack-file.ts";
import { storyCases } from "../seed/story-cases.ts";
import { storyOwner } from "../seed/story.ts";
import { makeTempDir } from "../testing/temp-dir.ts";
import { lookAt, presets, type Figures, type Preset } from "./look.ts";
import { findTransaction, signIn } from "./sign-in.ts";
import { middleOf, renderObjections, renderTable, type Row } from "./table.ts";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "1" },
    cpu: { type: "string" },
    web: { type: "string" },
    out: { type: "string" },
  },
});
const runs = Number(values.runs);
if (!Number.isInteger(runs) || runs < 1) throw new Error("--runs takes a whole number.");
const dataDir = process.env["COUNTERSIGN_DATA"] ?? join(import.meta.dirname, "../../.data");
const stack = findRunningStack(join(dataDir, "stack.json"));
if (stack === undefined) throw new Error(`No stack runs on ${dataDir}: npm run dev`);
const web = values.web ?? stack.urls.web;
const dir = values.out ?? makeTempDir("lighthouse");
mkdirSync(dir, { recursive: true });
const owner = storyOwner();

type Page = { readonly name: string; readonly path: string; readonly isSignedIn: boolean };

async function lookOnce({ name, path, isSignedIn }: Page, preset: Preset, count: number): Promise<Figures> {
  const session = isSignedIn ? await signIn(web, owner) : undefined;
  try {
    return await lookAt({
      ...{ url: `${web}${path}`, preset, dir, name: `${name}-${preset}-${count}` },
      ...(session === undefined ? {} : { cookie: session.cookie }),
      ...(values.cpu === undefined ? {} : { cpuSlowdown: values.cpu }),
    });
  } finally {
    await session?.end();
  }
}

async function lookOften(page: Page, preset: Preset): Promise<Row> {
  const seen: Figures[] = [];
  for (let count = 1; count <= runs; count += 1) seen.push(await lookOnce(page, preset, count));
  return { page: page.name, preset, figures: middleOf(seen) };
}

const { requestHash } = await findTransaction(web, owner, storyCases.incident.userPrompt);
const pages: readonly Page[] = [
  { name: "inbox", path: "/transactions", isSignedIn: true },
  { name: "transaction", path: `/transactions/${requestHash}`, isSignedIn: true },
  { name: "try", path: "/try", isSignedIn: false },
];

const rows: Row[] = [];
// One after the other: two at once would slow each other down.
for (const page of pages) for (const preset of presets) rows.push(await lookOften(page, preset));
console.log(`${renderTable(rows)}\n\n${renderObjections(rows)}`);
if (values.out !== undefined) console.log(`\nLighthouse's own reports are in ${dir}.`);
