/**
 * Loads the operator's lists and rules from VALIDATOR_DATA_DIR, in addition to the few sanctioned addresses that we
 * ship. The prefix of a file's name is its kind. A file that cannot be read prevents the start and is named.
 */
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { AddressList, Policy } from "../facts.ts";
import { joinLists, readList, type Now } from "./address-list.ts";
import { defaultPolicy } from "./default-policy.ts";
import { readPolicy } from "./policy.ts";

const shipped = join(import.meta.dirname, "../../data/lists");

const kinds = ["sanctions", "scam", "blocked-protocols", "policy"] as const;
type Kind = (typeof kinds)[number];
type Source = { readonly path: string; readonly kind: Kind; readonly content: unknown };

export type Lists = {
  readonly sanctions: AddressList | null;
  readonly scams: AddressList | null;
  readonly blockedProtocols: AddressList | null;
  readonly policy: Policy;
};

/** `now` in unix seconds: a moment, or a clock to ask whenever freshness is. */
export function loadLists(directory: string | null, now: bigint | Now, maxAgeDays: number): Lists {
  const clock: Now = typeof now === "bigint" ? () => now : now;
  const sources = [...filesIn(shipped), ...(directory === null ? [] : filesIn(directory))];
  const listOf = (kind: Kind): AddressList | null => {
    const lists = sources
      .filter((source) => source.kind === kind)
      .map(({ path, content }) => sound(path, readList(content, clock)));
    return joinLists(lists, clock, maxAgeDays);
  };
  return {
    sanctions: listOf("sanctions"),
    scams: listOf("scam"),
    blockedProtocols: listOf("blocked-protocols"),
    policy: policyOf(sources.filter(({ kind }) => kind === "policy")),
  };
}

/** Returns the files that the lists and the policy come from, with their content, in a fixed order and without their folder. */
export const readListFiles = (directory: string | null): readonly (readonly [string, unknown])[] =>
  [...filesIn(shipped), ...(directory === null ? [] : filesIn(directory))].map(({ path, content }) => [
    basename(path),
    content,
  ]);

function policyOf(sources: readonly Source[]): Policy {
  const [first, second] = sources;
  if (first === undefined) return defaultPolicy;
  if (second !== undefined) throw new Error(`${second.path}: there is a policy already, ${first.path}`);
  return sound(first.path, readPolicy(first.content));
}

function sound<T extends object>(path: string, read: T | { readonly fault: string }): T {
  if ("fault" in read) throw new Error(`${path}: ${read.fault}`);
  return read;
}

function filesIn(directory: string): readonly Source[] {
  const names = readdirSync(directory, { withFileTypes: true })
    .filter((entry) => !entry.isDirectory() && entry.name.endsWith(".json"))
    .map(({ name }) => name)
    .sort();
  return names.map((name) => {
    const path = join(directory, name);
    const kind = kinds.find((prefix) => name.startsWith(prefix));
    // A misspelt name must not silently produce an empty list.
    if (kind === undefined) {
      throw new Error(`${path}: the name of a list starts with ${kinds.join(", ")}`);
    }
    return { path, kind, content: readJson(path) };
  });
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (cause) {
    throw new Error(`${path}: not readable as JSON`, { cause });
  }
}
