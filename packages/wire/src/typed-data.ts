// EIP-712 data that a wallet would sign, in one canonical form: one digest has one JSON text. Anything that libraries hash
// differently, or that the digest does not cover, is rejected.
import type { Hex } from "viem";
import { hashTypedData as hashDefinition } from "viem/utils";
import { domainFields, parseDomain, type SignedDomain } from "./typed-data/domain.ts";
import { fail, isObject, type Json } from "./typed-data/problem.ts";
import { parseTypes, type Types } from "./typed-data/types.ts";
import { parseStruct } from "./typed-data/values.ts";

export { TypedDataProblem } from "./typed-data/problem.ts";

export type TypedData = {
  readonly domain: SignedDomain;
  /** The types that the primary type uses, without EIP712Domain, which follows from the domain. */
  readonly types: Types;
  readonly primaryType: string;
  /** Integers are decimal strings; addresses and bytes are lower-case hex. */
  readonly message: Json;
};

const members: ReadonlySet<string> = new Set(["domain", "types", "primaryType", "message"]);

/**
 * Returns the canonical form of `{ domain, types, primaryType, message }`. Throws a TypedDataProblem that names the
 * member: a message member without a type, an integer out of range, or an EIP712Domain that differs from the domain.
 */
export function parseTypedData(json: unknown): TypedData {
  if (!isObject(json)) return fail("typedData", "must be an object");
  const other = Object.keys(json).find((name) => !members.has(name));
  if (other !== undefined) return fail(other, "is not part of typed data");
  const { primaryType } = json;
  if (typeof primaryType !== "string") return fail("primaryType", "must be a string");
  const domain = parseDomain(json["domain"]);
  const types = parseTypes(json["types"], primaryType, domain);
  return { domain, types, primaryType, message: parseStruct(json["message"], primaryType, types) };
}

type Definition = {
  readonly domain: SignedDomain;
  readonly types: Record<string, { name: string; type: string }[]>;
  readonly primaryType: string;
  readonly message: Json;
};

/** The typed data as libraries and wallets take it, with the type of its domain: without it some leave out empty members. */
export const typedDataDefinition = ({ domain, types, primaryType, message }: TypedData): Definition => ({
  domain,
  types: mutable({ EIP712Domain: domainFields(domain), ...types }),
  primaryType,
  message,
});

/** Returns the EIP-712 digest, which is what a wallet signs. */
export const hashTypedData = (typedData: TypedData): Hex =>
  hashDefinition(typedDataDefinition(typedData) as Parameters<typeof hashDefinition>[0]);

/** Returns the parameter of `eth_signTypedData_v4`. */
export const writeTypedData = (typedData: TypedData): string =>
  JSON.stringify(typedDataDefinition(typedData));

const mutable = (types: Types): Record<string, { name: string; type: string }[]> =>
  Object.fromEntries(
    Object.entries(types).map(([name, fields]) => [name, fields.map((field) => ({ ...field }))]),
  );
