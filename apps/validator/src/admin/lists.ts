/** npm run admin -w apps/validator -- lists …: updates and shows the lists in VALIDATOR_DATA_DIR. */
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import type { Clock } from "@countersign/platform/clock";
import { fetchList, SourceRefused } from "../adapters/list-source/index.ts";
import type { Config } from "../config.ts";
import {
  listKinds,
  maxListBytes,
  notJson,
  readListFile,
  readListKey,
  readLists,
  writeListFile,
} from "../lists/index.ts";
import type { Fault, FoundList, List, ListKey, ListKind, Published } from "../lists/index.ts";
import { acceptList } from "./accept-list.ts";
import { ListRefused } from "./refused.ts";
import { writeAtomically } from "./write-atomically.ts";

type Settings = Pick<Config, "VALIDATOR_DATA_DIR" | "MAX_LIST_AGE_DAYS" | "LIST_KEYS">;
type Parts = {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly print: (line: string) => void;
};

const timeoutMs = 30_000;

/** Returns false for an unknown action. Throws `ListRefused`. */
export async function manageLists(parts: Parts, [action, ...args]: readonly string[]): Promise<boolean> {
  if (action === "show" && args.length === 0) {
    for (const line of showLists(parts)) parts.print(line);
    return true;
  }
  if (action !== "update") return false;
  await update(parts, args);
  return true;
}

async function update({ settings, clock, print }: Parts, args: readonly string[]): Promise<void> {
  const { from, ...options } = readOptions(args);
  const directory = directoryOf(settings);
  const keys = keysFor(settings, options.key);
  const kind = kindOf(options.kind, from);
  const fetched = await fetchList(from, { maxBytes: maxListBytes, timeoutMs }).catch((error: unknown) => {
    throw error instanceof SourceRefused ? new ListRefused(error.message) : error;
  });
  const published: Published = { ...fetched, about: aboutOf(from, options) };
  const path = join(directory, fileFor(kind, from, options.name));
  const now = nowOf(clock);
  const before = readInPlace(path);
  const inPlace = before === null ? null : parsed(before, { now, keys });
  const result = acceptList(published, { listKind: kind, now, keys, inPlace, force: options.force });
  if (result.kind === "refused") throw new ListRefused(`${result.why} (${result.refusal})`);
  const content = writeListFile(published);
  const { list } = result;
  const about = `${basename(path)}: ${list.notes.size} entries of ${list.asOf}, ${signatureOf(list)}`;
  if (content === before) {
    print(`Unchanged. ${about}.`);
    return;
  }
  await writeAtomically(path, content);
  print(`Updated. ${about}.`);
}

type Options = {
  readonly from: string;
  readonly key: string | undefined;
  readonly kind: string | undefined;
  readonly name: string | undefined;
  readonly asOf: string | undefined;
  readonly force: boolean;
};

function readOptions(args: readonly string[]): Options {
  const text = { type: "string" } as const;
  const options = {
    from: text,
    key: text,
    kind: text,
    name: text,
    "as-of": text,
    force: { type: "boolean" },
  } as const;
  try {
    const { values } = parseArgs({ args: [...args], options, strict: true });
    const { from, key, kind, name, "as-of": asOf, force = false } = values;
    if (from === undefined || from === "") throw new ListRefused("--from <url or file> is required");
    return { from, key, kind, name, asOf, force };
  } catch (error) {
    if (error instanceof ListRefused) throw error;
    throw new ListRefused(error instanceof Error ? error.message : String(error));
  }
}

function directoryOf({ VALIDATOR_DATA_DIR }: Settings): string {
  if (VALIDATOR_DATA_DIR !== undefined) return VALIDATOR_DATA_DIR;
  throw new ListRefused("VALIDATOR_DATA_DIR is not set, so there is no folder for lists");
}

/** `--key` narrows the keys of the configuration and never adds to them: the service would refuse the list. */
function keysFor({ LIST_KEYS }: Settings, key: string | undefined): readonly ListKey[] {
  const pinned = LIST_KEYS.flatMap((one) => readListKey(one) ?? []);
  if (key === undefined) return pinned;
  const chosen = readListKey(key);
  if (chosen === null) throw new ListRefused("--key is not a public key of minisign");
  if (LIST_KEYS.length > 0 && !LIST_KEYS.includes(key))
    throw new ListRefused(`LIST_KEYS does not contain the key ${chosen.id}`);
  return [chosen];
}

const lastPartOf = (from: string): string =>
  basename((URL.parse(from)?.pathname ?? from).replace(/\/+$/, ""));

function kindOf(stated: string | undefined, from: string): ListKind {
  const kind = listKinds.find((one) =>
    stated === undefined ? lastPartOf(from).startsWith(one) : one === stated,
  );
  if (kind !== undefined) return kind;
  throw new ListRefused(`--kind is required: one of ${listKinds.join(", ")}`);
}

/** The operator's words decide the file, never the list's own: a publisher cannot put a list next to the one it replaces. */
function fileFor(kind: ListKind, from: string, name: string | undefined): string {
  const slug = (name ?? lastPartOf(from).replace(/\.[a-z]+$/i, ""))
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  return slug === "" || slug === kind ? `${kind}.json` : `${kind}-${slug.replace(`${kind}-`, "")}.json`;
}

/** For forms without a name and a date. */
const aboutOf = (
  from: string,
  { name, asOf }: Pick<Options, "name" | "asOf">,
): NonNullable<Published["about"]> => {
  const url = URL.parse(from);
  const source = url?.host ? `${url.host}${url.pathname}` : basename(from);
  return { name: name ?? lastPartOf(from), source, ...(asOf === undefined ? {} : { asOf }) };
};

function readInPlace(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

function parsed(
  text: string,
  given: { readonly now: bigint; readonly keys: readonly ListKey[] },
): List | Fault {
  try {
    // Without keys: a list from before keys were configured still protects against an older one.
    return readListFile(JSON.parse(text), { ...given, keys: [] });
  } catch {
    return notJson;
  }
}

function showLists({ settings, clock }: Parts): readonly string[] {
  const keys = keysFor(settings, undefined);
  const now = nowOf(clock);
  const found = readLists(settings.VALIDATOR_DATA_DIR ?? null, { now, keys });
  return found.flatMap((one) => describe(one, now, settings.MAX_LIST_AGE_DAYS));
}

function describe({ file, kind, list }: FoundList, now: bigint, maxAgeDays: number): readonly string[] {
  if ("fault" in list) return [`${file} (${kind})`, `  refused: ${list.fault}`];
  const { name, asOf, partial, notes } = list;
  const days = Number((now - BigInt(Date.parse(`${asOf}T00:00:00Z`)) / 1000n) / 86_400n);
  const state = partial
    ? "partial: matches count, absence clears nothing"
    : days > maxAgeDays
      ? `stale: older than ${maxAgeDays} days, matches count, absence clears nothing`
      : "current";
  return [
    `${file} (${kind})`,
    `  name: ${name}`,
    `  entries: ${notes.size}`,
    `  date: ${asOf}, ${Math.max(days, 0)} days old`,
    `  signature: ${signatureOf(list)}`,
    `  state: ${state}`,
  ];
}

const signatureOf = ({ signedBy }: List): string =>
  signedBy === null ? "not verified" : `signed by ${signedBy}`;

const nowOf = (clock: Clock): bigint => BigInt(Math.floor(clock.now().getTime() / 1000));
