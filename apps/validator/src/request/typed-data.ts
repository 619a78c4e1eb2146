/** Reads a request's EIP-712 data under any of the names that callers use, and normalises its integers and addresses. */
import type { TypedData } from "../proposal.ts";
import { isCowOrder, typedCowOrder } from "./cow-order.ts";
import { isWrittenNumber, parseLossless, writtenAs } from "./lossless-json.ts";
import { asList, asObject, member, readAddress, shown, type Json, type Notes } from "./values.ts";

const orderKeys = ["order", "typed_data", "typedData", "message"] as const;
const deepest = 32;

type Types = TypedData["types"];
type Holder = { readonly at: string; readonly object: Json };
type Found = { readonly at: string; readonly order: Json };

/** Returns the chain in the typed data's domain, for a request that does not name a chain. */
export function findDomainChain(holders: readonly Holder[]): unknown {
  for (const { order } of holders.flatMap(findOrders)) {
    const named = asObject(member(order, "domain")) ?? order;
    const chain = member(named, "chainId") ?? member(named, "chain_id");
    if (chain !== undefined) return chain;
  }
  return undefined;
}

/** Returns the typed data, or null if the request has no typed data. Adds a defect if it is malformed or if there are two different messages. */
export function readTypedData(holders: readonly Holder[], chain: number, notes: Notes): TypedData | null {
  const [first, ...others] = holders.flatMap(findOrders);
  for (const other of holders.flatMap(findUnreadable)) malformed(notes, other.at, other.found);
  if (first === undefined) return null;
  for (const other of others) {
    if (sameText(first.order, other.order)) continue;
    malformed(notes, other.at, "a second message to sign", "one message per request");
  }
  return normalise(first, chain, notes);
}

function findOrders({ at, object }: Holder): readonly Found[] {
  const isItself = isTyped(object);
  const inside = orderKeys.flatMap((key): readonly Found[] => {
    const order = asOrder(member(object, key));
    if (order === null) return [];
    // A bare `message` may be anything. The other names always mean data to sign.
    if (key === "message" && (isItself || !(isTyped(order) || isCowOrder(order)))) return [];
    return [{ at: `${at}.${key}`, order }];
  });
  return isItself ? [{ at, order: object }, ...inside] : inside;
}

function findUnreadable({ at, object }: Holder): readonly { at: string; found: string }[] {
  return orderKeys
    .filter((key) => key !== "message")
    .map((key) => ({ at: `${at}.${key}`, value: member(object, key) }))
    .filter(({ value }) => value !== undefined && asOrder(value) === null && !isEmptyObject(value))
    .map(({ at: place, value }) => ({ at: place, found: shown(value) }));
}

const isEmptyObject = (value: unknown): boolean => {
  const object = asObject(value);
  return object !== null && Object.keys(object).length === 0;
};

const isTyped = (order: Json): boolean =>
  asObject(member(order, "domain")) !== null && asObject(bodyOf(order)) !== null;

// The message is called `value` if the arguments of a library's signTypedData(domain, types, value) were copied.
const bodyOf = (order: Json): unknown => member(order, "message") ?? member(order, "value");

function asOrder(value: unknown): Json | null {
  if (typeof value !== "string") return isEmptyObject(value) ? null : asObject(value);
  if (!value.trimStart().startsWith("{")) return null;
  const parsed = parseLossless(value);
  return "value" in parsed ? asObject(parsed.value) : null;
}

function normalise({ at, order }: Found, chain: number, notes: Notes): TypedData | null {
  const domain = asObject(member(order, "domain"));
  const types = readTypes(member(order, "types"));
  const message = asObject(bodyOf(order)) ?? order;
  if (types === null && isCowOrder(message)) {
    return inOneForm(typedCowOrder(message, chain, domain), at, notes);
  }
  const primaryType = primaryTypeOf(order, types ?? {});
  if (domain === null || types === null || primaryType === null || message === order) {
    malformed(notes, at, shown(`members ${Object.keys(order).slice(0, 8).join(", ")}`));
    return null;
  }
  return inOneForm({ domain, types, primaryType, message }, at, notes);
}

function malformed(
  { defects }: Notes,
  at: string,
  found: string,
  expected = "typed data {domain, types, primaryType, message}, or a CoW order",
): void {
  defects.push({ check: "typed_data_wellformed", at, found, expected });
}

function readTypes(value: unknown): Types | null {
  const object = asObject(value);
  if (object === null) return null;
  const types: Record<string, { name: string; type: string }[]> = {};
  for (const [name, fields] of Object.entries(object)) {
    const list = asList(fields)?.map(readField);
    if (list === undefined || list.some((field) => field === null)) return null;
    types[name] = list.filter((field) => field !== null);
  }
  return Object.keys(types).length === 0 ? null : types;
}

function readField(value: unknown): { name: string; type: string } | null {
  const field = asObject(value);
  const name = field === null ? null : field["name"];
  const type = field === null ? null : field["type"];
  return typeof name === "string" && typeof type === "string" ? { name, type } : null;
}

/** Returns the given primary type if it is one of the types. If none is given, returns the only type that no other type uses. */
function primaryTypeOf(order: Json, types: Types): string | null {
  const said = member(order, "primaryType") ?? member(order, "primary_type");
  if (said !== undefined) return typeof said === "string" && Object.hasOwn(types, said) ? said : null;
  const used = new Set(Object.values(types).flatMap((fields) => fields.map(({ type }) => baseOf(type))));
  const roots = Object.keys(types).filter((name) => name !== "EIP712Domain" && !used.has(name));
  return roots.length === 1 ? (roots[0] ?? null) : null;
}

const baseOf = (type: string): string => {
  const bracket = type.indexOf("[");
  return bracket === -1 ? type : type.slice(0, bracket);
};

const domainTypes: Types = {
  EIP712Domain: [
    { name: "chainId", type: "uint256" },
    { name: "verifyingContract", type: "address" },
  ],
};

/** Converts integers to bigint or decimal text and addresses to lower case. The digest does not change. */
function inOneForm(data: TypedData, at: string, notes: Notes): TypedData {
  const form: Form = { types: { ...data.types, ...domainTypes }, notes };
  return {
    ...data,
    domain: normaliseStruct(data.domain, "EIP712Domain", `${at}.domain`, { ...form, depth: 0 }),
    message: normaliseStruct(data.message, data.primaryType, `${at}.message`, { ...form, depth: 0 }),
  };
}

type Form = { readonly types: Types; readonly notes: Notes };
type Place = Form & { readonly depth: number };

function normaliseStruct(struct: Json, name: string, at: string, place: Place): Json {
  const fields = new Map(
    (Object.hasOwn(place.types, name) ? place.types[name] : undefined)?.map((field) => [
      field.name,
      field.type,
    ]),
  );
  const members = Object.entries(struct).map(([key, value]) => [
    key,
    normaliseValue(value, fields.get(key) ?? null, `${at}.${key}`, place),
  ]);
  return Object.fromEntries(members) as Json;
}

function normaliseValue(value: unknown, type: string | null, at: string, place: Place): unknown {
  if (place.depth > deepest) {
    malformed(place.notes, at, "members nested too deep", `at most ${deepest} levels`);
    return null;
  }
  const deeper = { ...place, depth: place.depth + 1 };
  const list = asList(value);
  if (list !== null) {
    const item = type === null ? null : type.slice(0, Math.max(type.lastIndexOf("["), 0));
    return list.map((entry, index) => normaliseValue(entry, item, `${at}[${index}]`, deeper));
  }
  const struct = asObject(value);
  if (struct !== null) return normaliseStruct(struct, type ?? "", at, deeper);
  if (type === "address") return readAddress(value, at, place.notes) ?? value;
  return normaliseNumber(value, at, place.notes);
}

function normaliseNumber(value: unknown, at: string, notes: Notes): unknown {
  if (typeof value === "number" && Number.isSafeInteger(value)) return BigInt(value);
  if (typeof value !== "number" && !isWrittenNumber(value)) return value;
  malformed(notes, at, shown(value), "an integer written in full, or a decimal string");
  return isWrittenNumber(value) ? writtenAs(value) : String(value);
}

/** Returns whether two messages are copies of each other. Copies count as one message. */
function sameText(left: Json, right: Json): boolean {
  const plain = (_: string, value: unknown): unknown =>
    isWrittenNumber(value) ? writtenAs(value) : typeof value === "bigint" ? String(value) : value;
  try {
    return JSON.stringify(left, plain) === JSON.stringify(right, plain);
  } catch {
    return false;
  }
}
