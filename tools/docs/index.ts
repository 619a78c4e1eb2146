// The second half of `npm run examples`: what the documents tell their readers to do is done.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { findDocuments } from "./documents.ts";
import { runDocument, type Outcome, type System } from "./run-document.ts";

export type { System } from "./run-document.ts";

/** Says one line for each document, and returns how many do not hold. Without names, all documents are run. */
export function runDocuments(root: string, system: System, names: readonly string[] = []): number {
  const unknown = names.filter((name) => !existsSync(join(root, name)));
  for (const name of unknown) console.log(`✗ ${name}: there is no such document`);
  let failed = unknown.length;
  const documents =
    names.length === 0 ? findDocuments(root) : names.filter((name) => !unknown.includes(name));
  for (const document of documents) {
    const outcome = runDocument(root, document, system);
    console.log(tell(document, outcome));
    if (outcome.faults.length > 0) failed++;
  }
  return failed;
}

function tell(document: string, { blocks, notRun, faults }: Outcome): string {
  const left = notRun.length === 0 ? "" : `, ${notRun.length} not run`;
  const lines = [
    `${faults.length === 0 ? "✓" : "✗"} ${document} (${blocks} ${blocks === 1 ? "block" : "blocks"} run${left})`,
    ...notRun.map(({ line, reason }) => `    ${document}:${line} is not run: ${reason}`),
    ...faults.map(({ line, message }) => `    ${document}:${line}\n${message.replaceAll(/^/gm, "        ")}`),
  ];
  return lines.join("\n");
}
