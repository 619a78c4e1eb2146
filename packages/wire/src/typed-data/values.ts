import type { Hex } from "viem";
import { lowerCase } from "../encode.ts";
import { readHex } from "./domain.ts";
import { fail, isObject, type Json } from "./problem.ts";
import { elementOf, type Types } from "./types.ts";

/** Deeper than any real message, and far from where a recursive reader runs out of stack. */
const maximumDepth = 16;

type Place = { readonly types: Types; readonly depth: number };

/** Returns the message with every value in its one form. Problems are named from `at`. */
export const parseStruct = (json: unknown, type: string, types: Types, at = "message"): Json =>
  structOf(json, type, at, { types, depth: 0 });

function structOf(json: unknown, type: string, at: string, place: Place): Json {
  if (place.depth > maximumDepth) return fail(at, `must be nested at most ${maximumDepth} deep`);
  if (!isObject(json)) return fail(at, "must be an object");
  const inside = at === "" ? "" : `${at}.`;
  const fields = place.types[type] ?? [];
  const other = Object.keys(json).find((key) => !fields.some(({ name }) => name === key));
  // It would be shown and checked, but the digest does not cover it.
  if (other !== undefined)
    return fail(`${inside}${other}`, "has no type, so the signature would not cover it");
  const deeper = { ...place, depth: place.depth + 1 };
  return Object.fromEntries(
    fields.map((field) => [
      field.name,
      valueOf(
        Object.hasOwn(json, field.name) ? json[field.name] : undefined,
        field.type,
        `${inside}${field.name}`,
        deeper,
      ),
    ]),
  );
}

function valueOf(json: unknown, type: string, at: string, place: Place): unknown {
  const element = elementOf(type);
  if (element !== undefined) return listOf(json, element, at, place);
  if (Object.hasOwn(place.types, type)) return structOf(json, type, at, place);
  return atomOf(json, type, at);
}

function listOf(
  json: unknown,
  { type, length }: { readonly type: string; readonly length?: number },
  at: string,
  place: Place,
): unknown {
  if (place.depth > maximumDepth) return fail(at, `must be nested at most ${maximumDepth} deep`);
  if (!Array.isArray(json)) return fail(at, "must be a list");
  if (length !== undefined && json.length !== length) return fail(at, `must have ${length} entries`);
  const deeper = { ...place, depth: place.depth + 1 };
  return json.map((entry, index) => valueOf(entry, type, `${at}[${index}]`, deeper));
}

function atomOf(json: unknown, type: string, at: string): unknown {
  if (type === "bool") return typeof json === "boolean" ? json : fail(at, "must be true or false");
  if (type === "string")
    return typeof json === "string" && json.isWellFormed() ? json : fail(at, "must be well-formed text");
  if (type === "address") return readHex(json, at, 20);
  if (type === "bytes") return readBytes(json, at);
  const [, bytes] = /^bytes(\d+)$/.exec(type) ?? [];
  return bytes === undefined ? readInteger(json, type, at) : readHex(json, at, Number(bytes));
}

const readBytes = (json: unknown, at: string): Hex =>
  typeof json === "string" && /^0x([0-9a-f]{2})*$/i.test(json)
    ? lowerCase(json as Hex)
    : fail(at, "must be bytes in hex");

function readInteger(json: unknown, type: string, at: string): string {
  const isSigned = type.startsWith("int");
  const bits = BigInt(type.slice(isSigned ? 3 : 4));
  const value = integerOf(json);
  const [least, most] = isSigned ? [-(1n << (bits - 1n)), (1n << (bits - 1n)) - 1n] : [0n, (1n << bits) - 1n];
  if (value === undefined || value < least || value > most)
    return fail(at, `must be an ${type}, written as a decimal or 0x string or a safe integer`);
  return value.toString();
}

function integerOf(json: unknown): bigint | undefined {
  if (typeof json === "bigint") return json;
  if (typeof json === "number") return Number.isSafeInteger(json) ? BigInt(json) : undefined;
  const isWritten = typeof json === "string" && /^(-?[0-9]{1,78}|0x[0-9a-f]{1,64})$/i.test(json);
  return isWritten ? BigInt(json) : undefined;
}
