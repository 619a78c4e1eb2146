/**
 * Finds the checks: every file in the four family folders is one, and its path is its id. The verifier must not lose a
 * check silently (a file that was not copied into an image), so the files must match `catalogue.json` exactly.
 */
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { families, type Family, type Node } from "../node.ts";
import { readPage, type Page } from "./read-page.ts";

export type LoadedNode = {
  /** For example `intent_alignment.amount_match`. */
  readonly id: string;
  readonly family: Family;
  readonly node: Node;
  readonly page: Page;
};

/** The entry of a check in `catalogue.json`. */
export type Entry = {
  readonly id: string;
  readonly title: string;
  readonly severity: string;
  readonly required: boolean;
  readonly needs: readonly string[];
};

export type Catalogue = { readonly version: string; readonly checks: readonly Entry[] };

const isCheck = (name: string): boolean => name.endsWith(".ts") && !name.endsWith(".test.ts");

async function loadNode(folder: string, family: Family, file: string): Promise<LoadedNode> {
  const stem = file.slice(0, -".ts".length);
  const at = path.join(folder, family, stem);
  const module = (await import(/* @vite-ignore */ pathToFileURL(`${at}.ts`).href)) as {
    readonly default?: Node;
  };
  if (typeof module.default?.check !== "function")
    throw new Error(`nodes/${family}/${file} does not export a check by default`);
  const text = await readFile(`${at}.md`, "utf8").catch(() => {
    throw new Error(`nodes/${family}/${file} has no page: nodes/${family}/${stem}.md is missing`);
  });
  return {
    id: `${family}.${stem}`,
    family,
    node: module.default,
    page: readPage(`nodes/${family}/${stem}.md`, text),
  };
}

/** Returns the checks of a folder, by id. */
export async function findNodes(folder: string = import.meta.dirname): Promise<readonly LoadedNode[]> {
  const found: LoadedNode[] = [];
  for (const family of families) {
    const files = await readdir(path.join(folder, family));
    for (const file of files.filter(isCheck).sort()) {
      if (!files.includes(`${file.slice(0, -".ts".length)}.test.ts`))
        throw new Error(`nodes/${family}/${file} has no test next to it`);
      found.push(await loadNode(folder, family, file));
    }
  }
  return found;
}

/** Builds the catalogue. Its version changes whenever one of its lines does. */
export const catalogueOf = (nodes: readonly LoadedNode[]): readonly Entry[] =>
  nodes.map(({ id, node: { title, severity, required, needs } }) => ({
    id,
    title,
    severity,
    required,
    needs,
  }));

/** Returns the checks. Throws an error that names a missing or unlisted file. */
export async function loadNodes(folder: string = import.meta.dirname): Promise<{
  readonly nodes: readonly LoadedNode[];
  readonly version: string;
}> {
  const nodes = await findNodes(folder);
  const catalogue = JSON.parse(await readFile(path.join(folder, "catalogue.json"), "utf8")) as Catalogue;
  const listed = new Set(catalogue.checks.map(({ id }) => id));
  const lost = [...listed].filter((id) => !nodes.some((node) => node.id === id));
  const [first] = lost;
  if (first !== undefined)
    throw new Error(
      `${lost.length} of ${listed.size} checks are missing, first nodes/${first.replace(".", "/")}.ts: the validator does not start without them`,
    );
  const unlisted = nodes.find(({ id }) => !listed.has(id));
  if (unlisted !== undefined)
    throw new Error(`${unlisted.id} is not in nodes/catalogue.json: run npm run generate`);
  return { nodes, version: catalogue.version };
}
