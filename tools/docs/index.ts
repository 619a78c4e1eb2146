// The second half of `npm run examples`: what the documents tell their readers to do is done.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { findDocuments } from "./documents.ts";
import { runDocument, type Outcome, type System } from "./run-document.ts";

export type { System } from "./run-document.ts";

/** Those that are named, or all. Throws for one that is not there. */
export function chooseDocuments(root: string, names: readonly string[]): readonly string[] {
  const unknown = names.filter((name) => !existsSync(join(root, name)));
  if (unknown.length > 0) throw new Error(`There is no document ${unknown.join(", ")}`);
  return names.length === 0 ? findDocuments(root) : names;
}

/** The result of a document and its report. */
export type Told = { readonly holds: boolean; readonly text: string };

export async function tellDocument(root: string, document: string, system: System): Promise<Told> {
  const outcome = await runDocument(root, document, system);
  return { holds: outcome.faults.length === 0, text: textOf(document, outcome) };
}

function textOf(document: string, { blocks, notRun, faults }: Outcome): string {
  const left = notRun.length === 0 ? "" : `, ${notRun.length} not run`;
  const lines = [
    `${document} (${blocks} ${blocks === 1 ? "block" : "blocks"} run${left})`,
    ...notRun.map(({ line, reason }) => `    ${document}:${line} is not run: ${reason}`),
    ...faults.map(({ line, message }) => `    ${document}:${line}\n${message.replaceAll(/^/gm, "        ")}`),
  ];
  return lines.join("\n");
}
