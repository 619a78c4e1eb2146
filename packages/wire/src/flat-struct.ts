// EIP-712 for structures whose members are all one word: our proposals and verdicts. Every proposal is hashed several times on
// its way, and libraries spend most of that time on types that these structures do not have.
import type { Hex } from "viem";
import { bytesToHex, hexToBytes } from "viem/utils";
import { keccak } from "#keccak";
import type { TypedDomain } from "./domain.ts";

type Field = { readonly name: string; readonly type: string };

type Message<Fields extends readonly Field[]> = Readonly<
  Record<Fields[number]["name"], string | number | bigint>
>;

const utf8 = new TextEncoder();
const hashText = (text: string): Uint8Array => keccak(utf8.encode(text));

function numberWord(type: string, value: unknown): Uint8Array {
  const bits = Number(type.slice("uint".length));
  if (typeof value !== "bigint" && !Number.isSafeInteger(value)) throw new RangeError("Not an integer.");
  const number = BigInt(value as number | bigint);
  if (number < 0n || number >= 1n << BigInt(bits)) throw new RangeError(`The number does not fit ${type}.`);
  return hexToBytes(`0x${number.toString(16).padStart(64, "0")}`);
}

/** The word that stands for a member. Throws for a value that its type does not have. */
function wordOf(type: string, value: unknown): Uint8Array {
  if (type.startsWith("uint")) return numberWord(type, value);
  if (typeof value !== "string") throw new TypeError(`A ${type} is written as text.`);
  if (type === "string") return hashText(value);
  const digits = type === "address" ? 40 : 64;
  if (!/^0x[0-9a-fA-F]*$/.test(value) || value.length !== digits + 2)
    throw new RangeError(`The value does not have the ${digits / 2} bytes of ${type}.`);
  return hexToBytes(`0x${value.slice(2).padStart(64, "0")}`);
}

/** Returns the function that hashes a structure. All its members have the type `string`, `address`, `bytes32` or `uint…`. */
function structHash(name: string, fields: readonly Field[]) {
  const typeHash = hashText(`${name}(${fields.map((field) => `${field.type} ${field.name}`).join(",")})`);
  return (message: Readonly<Record<string, unknown>>): Uint8Array => {
    const words = new Uint8Array(32 * (fields.length + 1));
    words.set(typeHash);
    for (const [index, { name: member, type }] of fields.entries())
      words.set(wordOf(type, message[member]), 32 * (index + 1));
    return keccak(words);
  };
}

const hashDomain = structHash("EIP712Domain", [
  { name: "name", type: "string" },
  { name: "version", type: "string" },
  { name: "chainId", type: "uint256" },
  { name: "verifyingContract", type: "address" },
]);

/** Returns the function that computes the EIP-712 digest of such a structure in a domain. */
export function flatStruct<const Fields extends readonly Field[]>(name: string, fields: Fields) {
  const hashMessage = structHash(name, fields);
  return (domain: TypedDomain, message: Message<Fields>): Hex => {
    const signed = new Uint8Array(66);
    signed.set([0x19, 0x01]);
    signed.set(hashDomain(domain), 2);
    signed.set(hashMessage(message), 34);
    return bytesToHex(keccak(signed));
  };
}
