/**
 * Loads the protocols: every file of this folder is one, and its name is its id. Shared code is in `shared/`. A file
 * that is not a protocol stops the start. `protocols.test.ts` runs the samples next to each file.
 */
import { readdir } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Protocol } from "../protocol.ts";
import { checkProtocol } from "./shared/check-protocol.ts";
import { indexProtocols, type Protocols } from "./shared/index-protocols.ts";

export type { KnownFunction, KnownTypedData, Protocols } from "./shared/index-protocols.ts";

const notProtocols = new Set(["load-protocols.ts"]);

const isProtocolFile = (name: string): boolean =>
  name.endsWith(".ts") && !name.endsWith(".test.ts") && !notProtocols.has(name);

const importProtocol = async (id: string): Promise<Protocol> => {
  const file = pathToFileURL(path.join(import.meta.dirname, `${id}.ts`)).href;
  const module = (await import(/* @vite-ignore */ file)) as { readonly default?: Protocol };
  if (module.default === undefined)
    throw new Error(`protocols/${id}.ts: does not export a protocol by default`);
  return checkProtocol(id, module.default);
};

export const loadProtocols = async (): Promise<Protocols> => {
  const files = await readdir(import.meta.dirname);
  const ids = files
    .filter(isProtocolFile)
    .map((name) => name.slice(0, -".ts".length))
    .sort();
  const all = new Map<string, Protocol>();
  for (const id of ids) all.set(id, await importProtocol(id));
  return indexProtocols(all);
};
