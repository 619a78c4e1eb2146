/** Reads every call of a request: the one in `proposed_tx` itself and those in its lists, at any depth. */
import type { Address, Authorization, Call } from "../proposal.ts";
import { asList, asObject, asQuantity, member, readAddress, readHex, readQuantity, shown } from "./values.ts";
import { zeroAddress, type Json, type Notes } from "./values.ts";

const limits = { calls: 256, authorizations: 256, dataCharacters: 2 * 2 * 1024 * 1024, depth: 16 } as const;

const dataKeys = ["data", "input", "calldata", "callData", "call_data"] as const;
// Signers use several names for their lists. Read all of them, so that no call goes unseen.
const listKeys = ["transactions", "calls", "txs", "batch"] as const;
const authorizationKeys = ["authorizationList", "authorization_list", "authorizations"] as const;

export type Payload = {
  readonly calls: readonly Call[];
  readonly authorizations: readonly Authorization[];
  /** Every object that may hold a call or a list. Any of them may also have the sender, the chain or typed data. */
  readonly holders: readonly { readonly at: string; readonly object: Json }[];
};

type Reading = Notes & {
  readonly calls: Call[];
  readonly authorizations: Authorization[];
  readonly holders: { at: string; object: Json }[];
  characters: number;
  listed: number;
};

/** Returns the calls and authorizations, and adds a defect to `notes` for each part that cannot be read. */
export function readCalls(transaction: Json, at: string, notes: Notes): Payload {
  const reading: Reading = {
    defects: notes.defects,
    calls: [],
    authorizations: [],
    holders: [],
    characters: 0,
    listed: 0,
  };
  readHolder(transaction, at, reading, 0);
  return reading;
}

function readHolder(holder: Json, at: string, reading: Reading, depth: number): void {
  reading.holders.push({ at, object: holder });
  readCall(holder, at, reading);
  readAuthorizations(holder, at, reading);
  for (const key of listKeys) readList(member(holder, key), `${at}.${key}`, reading, depth);
}

function readList(value: unknown, at: string, reading: Reading, depth: number): void {
  if (value === undefined) return;
  const list = asList(value);
  if (list === null) {
    // "batch": true and the like are flags, not calls.
    if (asObject(value) !== null) refuse(reading, at, shown(value), "a list of transactions");
    return;
  }
  if (depth >= limits.depth) {
    refuse(reading, at, "nested lists", `at most ${limits.depth} levels`);
    return;
  }
  for (const [index, item] of list.entries()) {
    reading.listed += 1;
    if (reading.listed > limits.calls) {
      refuse(reading, at, `${list.length} transactions`, `at most ${limits.calls} transactions`);
      return;
    }
    const place = `${at}[${index}]`;
    const object = asObject(item);
    if (object === null) refuse(reading, place, shown(item), "an object {to, data, value}");
    else readHolder(object, place, reading, depth + 1);
  }
}

function readCall(holder: Json, at: string, reading: Reading): void {
  const data = readData(holder, at, reading);
  const to = readTarget(holder, at, reading, data !== "0x");
  const found = reading.defects.length;
  const value = readQuantity(member(holder, "value"), `${at}.value`, reading);
  const unreadableValue = reading.defects.length > found;
  if (to === null && data === "0x" && (value ?? 0n) === 0n && !unreadableValue) return;
  reading.calls.push({ at, to, value: value ?? 0n, data });
}

/** Returns null if there is no target. An unreadable one becomes the zero address, because null means a deployment. */
function readTarget(holder: Json, at: string, reading: Reading, hasData: boolean): Address | null {
  const given = Object.hasOwn(holder, "to") ? holder["to"] : undefined;
  if (given === undefined || given === null || (given === "" && !hasData)) return null;
  return readAddress(given, `${at}.to`, reading) ?? zeroAddress;
}

function readData(holder: Json, at: string, reading: Reading): Call["data"] {
  const given = dataKeys
    .map((key) => ({ key, value: member(holder, key) }))
    .filter(({ value }) => value !== undefined);
  const [first, ...others] = given.map(({ key, value }) => ({
    key,
    data: readHex(value, `${at}.${key}`, reading),
  }));
  if (first === undefined) return "0x";
  for (const other of others) {
    if (other.data === first.data) continue;
    reading.defects.push({
      check: "context_conflict",
      at: `${at}.${other.key}`,
      found: shown(other.data),
      expected: `the same data as ${at}.${first.key}`,
    });
  }
  reading.characters += first.data.length;
  if (reading.characters <= limits.dataCharacters) return first.data;
  reading.defects.push({
    check: "hex_encoding",
    at: `${at}.${first.key}`,
    found: "more than 2 MiB of calldata in total",
    expected: "at most 2 MiB",
  });
  return "0x";
}

function readAuthorizations(holder: Json, at: string, reading: Reading): void {
  for (const key of authorizationKeys) {
    const value = member(holder, key);
    if (value === undefined) continue;
    const list = asList(value) ?? [value];
    if (reading.authorizations.length + list.length > limits.authorizations) {
      refuse(reading, `${at}.${key}`, `${list.length} authorizations`, `at most ${limits.authorizations}`);
      continue;
    }
    list.forEach((item, index) => {
      readAuthorization(item, `${at}.${key}[${index}]`, reading);
    });
  }
}

/** Lists an unreadable entry too, with its defect: an account must not change its code unseen. */
function readAuthorization(item: unknown, at: string, reading: Reading): void {
  const tuple = asObject(item) ?? {};
  const delegate = ["address", "contractAddress", "contract_address", "delegate"]
    .map((key) => member(tuple, key))
    .find((value) => value !== undefined);
  const chain = member(tuple, "chainId") ?? member(tuple, "chain_id");
  if (chain !== undefined) readQuantity(chain, `${at}.chainId`, reading);
  reading.authorizations.push({
    at,
    // Without a readable chain, assume the worst case: valid on every chain.
    chainId: asQuantity(chain) ?? 0n,
    delegate: readAddress(delegate, `${at}.address`, reading) ?? zeroAddress,
  });
}

function refuse({ defects }: Notes, at: string, found: string, expected: string): void {
  defects.push({ check: "payload_present", at, found, expected });
}
