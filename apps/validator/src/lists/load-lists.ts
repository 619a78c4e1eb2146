/**
 * Loads the operator's lists, rules and data about contracts from VALIDATOR_DATA_DIR, in addition to the few sanctioned addresses that we
 * ship. The prefix of a file's name is its kind. A file that cannot be read is named, and then nothing is loaded.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import type { ContractData } from "../contract-data.ts";
import type { AddressList, Policy } from "../facts.ts";
import { readContractFile } from "./contracts/contract-file.ts";
import { readDescriptor } from "./contracts/descriptor.ts";
import { openContracts, packContracts, type PackedContracts } from "./contracts/packed-contracts.ts";
import { defaultPolicy } from "./default-policy.ts";
import {
  listKinds,
  maxListBytes,
  notJson,
  readListFile,
  type Fault,
  type List,
  type ListKind,
} from "./list-file.ts";
import type { ListKey } from "./minisign.ts";
import { openList, packLists, type Now, type PackedList } from "./packed-list.ts";
import { readPolicy } from "./policy.ts";

const shipped = join(import.meta.dirname, "../../data/lists");

const others = ["policy", "contract", "erc7730"] as const;
const kinds = [...listKinds, ...others] as const;
type Kind = (typeof kinds)[number];

const isList = (kind: Kind): kind is ListKind => (listKinds as readonly string[]).includes(kind);
type Source = {
  readonly path: string;
  readonly kind: Kind;
  readonly text: string;
  readonly isShipped: boolean;
};

/** Everything that was loaded, at one moment. It can be sent to a worker thread. */
export type Snapshot = Readonly<Record<ListKind, PackedList | null>> & {
  readonly policy: Policy;
  readonly contractData: PackedContracts;
  /** The files that it comes from, each with the SHA-256 of its content, in a fixed order and without their folder. */
  readonly files: readonly (readonly [string, string])[];
};

export type Lists = {
  readonly sanctions: AddressList | null;
  readonly scams: AddressList | null;
  readonly blockedProtocols: AddressList | null;
  readonly policy: Policy;
  readonly contractData: ContractData;
};

type Reading = { readonly now: bigint; readonly keys: readonly ListKey[] };

/** Throws an error that names the file. `now` is in unix seconds. */
export function readSnapshot(directory: string | null, reading: Reading): Snapshot {
  const sources = sourcesIn(directory);
  const packed = (kind: ListKind): PackedList | null =>
    packLists(sources.filter((source) => source.kind === kind).map((source) => listOf(source, reading)));
  return {
    sanctions: packed("sanctions"),
    scam: packed("scam"),
    "blocked-protocols": packed("blocked-protocols"),
    policy: policyOf(sources.filter(({ kind }) => kind === "policy")),
    contractData: contractsOf(sources, reading),
    files: sources.map(({ path, text }) => [basename(path), createHash("sha256").update(text).digest("hex")]),
  };
}

/** `now`: a clock to ask whenever the age of a list is. */
export function openSnapshot(snapshot: Snapshot, now: Now, maxAgeDays: number): Lists {
  const open = (list: PackedList | null): AddressList | null =>
    list === null ? null : openList(list, now, maxAgeDays);
  return {
    sanctions: open(snapshot.sanctions),
    scams: open(snapshot.scam),
    blockedProtocols: open(snapshot["blocked-protocols"]),
    policy: snapshot.policy,
    contractData: openContracts(snapshot.contractData, now),
  };
}

export type FoundList = { readonly file: string; readonly kind: ListKind; readonly list: List | Fault };

/** Returns each file with its list or what is wrong with it. */
export function readLists(directory: string | null, reading: Reading): readonly FoundList[] {
  return sourcesIn(directory).flatMap((source) => {
    const { kind } = source;
    return isList(kind) ? [{ file: basename(source.path), kind, list: tryList(source, reading) }] : [];
  });
}

/** Returns a value that changes when a file in the folder does. */
export function fingerprintOf(directory: string): string {
  const files = namesIn(directory).map((name) => {
    const { ino, size, mtimeMs } = statSync(join(directory, name));
    return [name, ino, size, mtimeMs];
  });
  return JSON.stringify(files);
}

const tryList = ({ kind, text, isShipped }: Source, { now, keys }: Reading): List | Fault => {
  const content = parse(text);
  if (content === undefined) return notJson;
  // Shipped lists are part of the code.
  const list = readListFile(content, { now, keys: isShipped ? [] : keys });
  if ("fault" in list || list.kind === undefined || list.kind === kind) return list;
  return { fault: `the list is of the kind ${list.kind}`, code: "malformed" };
};

const listOf = (source: Source, reading: Reading): List => sound<List>(source.path, tryList(source, reading));

function policyOf(sources: readonly Source[]): Policy {
  const [first, second] = sources;
  if (first === undefined) return defaultPolicy;
  if (second !== undefined) throw new Error(`${second.path}: there is a policy already, ${first.path}`);
  const content = parse(first.text);
  return sound(first.path, content === undefined ? notJson : readPolicy(content));
}

function contractsOf(sources: readonly Source[], { now }: Reading): PackedContracts {
  const read = <T extends object>(of: Kind, readOne: (content: unknown) => T | Pick<Fault, "fault">) =>
    sources.flatMap(({ kind, path, text }) => {
      if (kind !== of) return [];
      const content = parse(text);
      return [
        { file: basename(path), read: sound<T>(path, content === undefined ? notJson : readOne(content)) },
      ];
    });
  return packContracts(
    read("contract", (content) => readContractFile(content, now)),
    read("erc7730", readDescriptor),
  );
}

function sound<T extends object>(path: string, read: T | Pick<Fault, "fault">): T {
  if ("fault" in read) throw new Error(`${path}: ${read.fault}`);
  return read;
}

const namesIn = (directory: string): readonly string[] =>
  readdirSync(directory, { withFileTypes: true })
    .filter((entry) => !entry.isDirectory() && entry.name.endsWith(".json"))
    .map(({ name }) => name)
    .sort();

const sourcesIn = (directory: string | null): readonly Source[] => [
  ...filesIn(shipped, true),
  ...(directory === null ? [] : filesIn(directory, false)),
];

const filesIn = (directory: string, isShipped: boolean): readonly Source[] =>
  namesIn(directory).map((name) => {
    const path = join(directory, name);
    const kind = kinds.find((prefix) => name.startsWith(prefix));
    // A misspelt name must not silently produce an empty list.
    if (kind === undefined) throw new Error(`${path}: the name of a list starts with ${kinds.join(", ")}`);
    // Twice the limit: a signed list is stored as a text within JSON.
    if (statSync(path).size > 2 * maxListBytes)
      throw new Error(`${path}: larger than ${2 * maxListBytes} bytes`);
    return { path, kind, text: readFileSync(path, "utf8"), isShipped };
  });

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
