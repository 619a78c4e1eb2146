/** Reads the addresses that a caller knows, has dealt with, or has resolved from names. */
import type { Address, Context } from "../proposal.ts";
import { membersOf, type Place } from "./places.ts";
import { asList, asObject, isAddress, lower, member, shown, type Json, type Notes } from "./values.ts";

const maxEntries = 10_000;

const knownKeys = ["known_addresses", "knownAddresses", "address_book", "addressBook", "contacts"] as const;
const counterpartyKeys = [
  "recent_counterparties",
  "recentCounterparties",
  "counterparties",
  "recent_recipients",
  "recentRecipients",
] as const;
const nameKeys = ["ens", "ens_names", "ensNames", "resolved_names", "resolvedNames", "names"] as const;
const labelKeys = ["label", "name", "alias", "ens", "tag"] as const;
const addressKeys = ["address", "addr", "to", "recipient"] as const;

type Entry = { readonly at: string; readonly address: Address; readonly label: string | null };

export type Parties = Pick<Context, "known" | "counterparties" | "accounts" | "names">;

const accountKeys = ["accounts"] as const;

export function readParties(places: readonly Place[], notes: Notes): Parties {
  const known = capped(entriesOf(places, knownKeys), "known addresses", notes);
  const counterparties = capped(entriesOf(places, counterpartyKeys), "counterparties", notes);
  const resolved = capped(entriesOf(places, nameKeys), "names", notes);
  // Only from the caller's own metadata: the author of the transaction could list any contract as the owner's.
  const accounts = capped(entriesOf(places.filter(isFromCaller), accountKeys), "accounts", notes);
  return {
    known: known.map(({ address, label }) => ({ address, label })),
    counterparties: [...new Set(counterparties.map(({ address }) => address))],
    accounts: [...new Set(accounts.map(({ address }) => address))],
    names: readNames([...resolved, ...known.filter(({ label }) => label !== null && isName(label))], notes),
  };
}

const isFromCaller = ({ at }: Place): boolean => at === "metadata";

/** Reads lists of addresses, lists of {address, label}, and maps from either one to the other. */
function entriesOf(places: readonly Place[], keys: readonly string[]): readonly Entry[] {
  return membersOf(places, keys).flatMap(({ at, given }) => {
    const list = asList(given);
    if (list !== null) return list.flatMap((item, index) => entryOf(item, `${at}[${index}]`));
    const object = asObject(given);
    if (object === null) return isAddress(given) ? entryOf(given, at) : [];
    const single = entryOf(object, at);
    return single.length > 0
      ? single
      : Object.entries(object).flatMap(([key, value]) => pairOf(key, value, at));
  });
}

function entryOf(item: unknown, at: string): readonly Entry[] {
  if (isAddress(item)) return [{ at, address: lower(item), label: null }];
  const object = asObject(item);
  const address = object === null ? undefined : firstOf(object, addressKeys);
  if (object === null || !isAddress(address)) return [];
  const label = firstOf(object, labelKeys);
  return [{ at, address: lower(address), label: typeof label === "string" ? label : null }];
}

function pairOf(key: string, value: unknown, at: string): readonly Entry[] {
  const place = `${at}.${shown(key)}`;
  if (isAddress(value)) {
    return [{ at: place, address: lower(value), label: isAddress(key) ? null : key }];
  }
  const inner = asObject(value);
  const label = inner === null ? value : firstOf(inner, labelKeys);
  if (isAddress(key)) {
    return [{ at: place, address: lower(key), label: typeof label === "string" ? label : null }];
  }
  return inner === null
    ? []
    : entryOf(inner, place).map((entry) => ({ ...entry, label: entry.label ?? key }));
}

const firstOf = (object: Json, keys: readonly string[]): unknown =>
  keys.map((key) => member(object, key)).find((value) => value !== undefined);

/** Matches names such as `bob.eth` and `pay.alice.xyz`: letters around a dot, no spaces. */
const isName = (label: string): boolean =>
  label.length <= 255 &&
  label.includes(".") &&
  /^[^\s.]+(?:\.[^\s.]+)+$/u.test(label) &&
  /\p{L}$/u.test(label);

function readNames(entries: readonly Entry[], { defects }: Notes): ReadonlyMap<string, Address> {
  const names = new Map<string, Address>();
  for (const { at, address, label } of entries) {
    if (label === null) continue;
    const name = label.trim().toLowerCase();
    const before = names.get(name);
    if (before === undefined) names.set(name, address);
    else if (before !== address) {
      defects.push({
        check: "context_conflict",
        at,
        found: `${shown(name)} is ${address}`,
        expected: `one address per name; it was ${before} before`,
      });
    }
  }
  return names;
}

/** Returns at most `maxEntries` entries, and adds a defect if there are more. */
export function capped<T>(entries: readonly T[], what: string, { defects }: Notes): readonly T[] {
  if (entries.length <= maxEntries) return entries;
  defects.push({
    check: "payload_present",
    at: "metadata",
    found: `${entries.length} ${what}`,
    expected: `at most ${maxEntries}`,
  });
  return entries.slice(0, maxEntries);
}
