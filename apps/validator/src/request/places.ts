/** Reads sender, chain, time and jurisdiction from the places where callers put them, and reports conflicts between places. */
import type { Address } from "../proposal.ts";
import type { Registry } from "../registry.ts";
import { isWrittenNumber, writtenAs } from "./lossless-json.ts";
import { asObject, asQuantity, member, readAddress, shown, type Json, type Notes } from "./values.ts";

export type Place = { readonly at: string; readonly object: Json };

/** One member as read. `value` is null if it could not be understood. */
type Said<T> = { readonly at: string; readonly given: unknown; readonly value: T | null };

const senderKeys = ["from", "from_address", "fromAddress"] as const;
// Other names for the user's account. They are not compared with the sender: the owner of a Safe signs for another account.
// They may also contain a person's name, which is ignored.
const accountKeys = [
  "sender",
  "wallet_address",
  "walletAddress",
  "wallet",
  "user_address",
  "userAddress",
  "account",
] as const;
const chainIdKeys = ["chain_id", "chainId", "network_id", "networkId"] as const;
const chainNameKeys = ["chain", "network"] as const;
const nowKeys = ["now", "current_time", "currentTime", "current_timestamp", "currentTimestamp"] as const;
const jurisdictionKeys = ["jurisdiction", "country", "country_code", "countryCode"] as const;

/** Returns metadata and contexts in order of precedence. */
export function contextPlaces(metadata: unknown, transaction: Json): readonly Place[] {
  const candidates = [
    { at: "metadata", object: asObject(metadata) },
    { at: "proposed_tx.context", object: asObject(member(transaction, "context")) },
    { at: "proposed_tx.metadata", object: asObject(member(transaction, "metadata")) },
  ];
  return candidates.flatMap(({ at, object }) => (object === null ? [] : [{ at, object }]));
}

type Given = { readonly at: string; readonly given: unknown };

export function membersOf(places: readonly Place[], keys: readonly string[]): readonly Given[] {
  const found: Given[] = [];
  for (const { at, object } of places) {
    for (const key of keys) {
      const given = member(object, key);
      if (given !== undefined) found.push({ at: `${at}.${key}`, given });
    }
  }
  return found;
}

/** Returns the first value that was understood. Reports a conflict for each later value that differs. */
function agreed<T>(said: readonly Said<T>[], { defects }: Notes): T | null {
  const first = said.find(({ value }) => value !== null);
  for (const other of said) {
    if (first === undefined || other.value === null || other.value === first.value) continue;
    defects.push({
      check: "context_conflict",
      at: other.at,
      found: shown(other.given),
      expected: `the same as ${first.at}: ${shown(first.given)}`,
    });
  }
  return first?.value ?? null;
}

export function readActor(places: readonly Place[], notes: Notes): Address | null {
  const said = membersOf(places, senderKeys).map(({ at, given }) => ({
    at,
    given,
    value: readAddress(given, at, notes),
  }));
  if (said.length > 0) return agreed(said, notes);
  for (const { at, given } of membersOf(places, accountKeys)) {
    const account = typeof given === "string" ? given : member(asObject(given) ?? {}, "address");
    if (typeof account === "string" && account.startsWith("0x")) return readAddress(account, at, notes);
  }
  return null;
}

type Chain = { readonly id: number; readonly assumed: boolean };

/**
 * Returns the chain of the request. An unreadable id is a defect, because assuming chain 1 would check the wrong tokens. An
 * unknown name is a defect only if nothing else names the chain.
 */
export function readChain(
  places: readonly Place[],
  signed: unknown,
  { notes, registry }: { notes: Notes; registry: Registry },
): Chain {
  const ids = membersOf(places, chainIdKeys).map(({ at, given }) => ({
    at,
    given,
    value: chainIdOf(given),
  }));
  const names = membersOf(places, chainNameKeys).map(({ at, given }) => ({
    at,
    given,
    // Every network has a mainnet, so next to an id the word alone does not name a chain.
    value: chainIdOf(given) ?? (ids.length > 0 && isMainnet(given) ? null : chainNamed(given, registry)),
  }));
  const faulty = names.some(({ value }) => value !== null) || ids.length > 0 ? ids : [...ids, ...names];
  for (const { at, given, value } of faulty) {
    if (value !== null) continue;
    notes.defects.push({
      check: "value_encoding",
      at,
      found: shown(given),
      expected: "the id of an EVM chain",
    });
  }
  const id = agreed([...ids, ...names], notes);
  if (id !== null) return { id, assumed: false };
  // The domain of typed data is signed, so its chain is as reliable as the caller's.
  const domain = chainIdOf(signed);
  return domain === null ? { id: 1, assumed: true } : { id: domain, assumed: false };
}

function chainIdOf(given: unknown): number | null {
  const object = asObject(given);
  if (object !== null)
    return asObject(member(object, "id")) === null ? chainIdOf(member(object, "id")) : null;
  const plain =
    typeof given === "string" && given.startsWith("eip155:") ? given.slice("eip155:".length) : given;
  const id = asQuantity(plain);
  return id === null || id === 0n || id > BigInt(Number.MAX_SAFE_INTEGER) ? null : Number(id);
}

const isMainnet = (given: unknown): boolean => typeof given === "string" && /^main ?-?net$/i.test(given);

function chainNamed(given: unknown, registry: Registry): number | null {
  if (typeof given !== "string" || given.length > 64) return null;
  return (
    registry.chainNamed(
      given
        .toLowerCase()
        .replace(/[\s_-]+/g, " ")
        .trim(),
    )?.id ?? null
  );
}

export function readNow(places: readonly Place[], clockNow: bigint, notes: Notes): bigint {
  const said = membersOf(places, nowKeys).map(({ at, given }) => ({
    at,
    given,
    value: secondsOf(given),
  }));
  for (const { at, given, value } of said) {
    if (value !== null) continue;
    notes.defects.push({ check: "value_encoding", at, found: shown(given), expected: "Unix seconds" });
  }
  return agreed(said, notes) ?? clockNow;
}

// Unix seconds stay below this until the year 5138; milliseconds passed it in 1973.
const smallestMilliseconds = 100_000_000_000n;

function secondsOf(given: unknown): bigint | null {
  const plain = isWrittenNumber(given) ? Number(writtenAs(given)) : given;
  const number = typeof plain === "number" && Number.isFinite(plain) ? Math.trunc(plain) : plain;
  const seconds = asQuantity(number) ?? secondsOfDate(number);
  if (seconds === null || seconds > smallestMilliseconds * 1000n) return null;
  return seconds >= smallestMilliseconds ? seconds / 1000n : seconds;
}

function secondsOfDate(given: unknown): bigint | null {
  if (
    typeof given !== "string" ||
    !/^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]{5,20}(?:Z|[+-][0-9]{2}:?[0-9]{2})$/.test(given)
  ) {
    return null;
  }
  const milliseconds = Date.parse(given);
  return Number.isFinite(milliseconds) && milliseconds >= 0 ? BigInt(Math.trunc(milliseconds / 1000)) : null;
}

/** Returns the most specific jurisdiction. A country and one of its states do not conflict; two countries do. */
export function readJurisdiction(places: readonly Place[], notes: Notes): string | null {
  for (const key of jurisdictionKeys) {
    const said = membersOf(places, [key]).map(({ at, given }) => ({
      at,
      given,
      value: typeof given === "string" && given.length <= 64 ? given.trim().toUpperCase() : null,
    }));
    const jurisdiction = agreed(said, notes);
    if (jurisdiction !== null) return jurisdiction;
  }
  return null;
}
