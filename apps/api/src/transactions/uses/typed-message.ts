// Members of typed data whose types are known to be those of a standard, so that their form is fixed.
import type { Hex, TypedData } from "@countersign/wire";

export type Message = TypedData["message"];

export const hexIn = (message: Message, name: string): Hex => String(message[name]).toLowerCase() as Hex;
export const integerIn = (message: Message, name: string): bigint => BigInt(String(message[name]));

export const structsIn = (message: Message, name: string): readonly Message[] => {
  const value = message[name];
  return (Array.isArray(value) ? value : [value]) as readonly Message[];
};

/** Returns a struct's name with its members and their types, as EIP-712 writes it, without the structs that it refers to. */
export const structOf = ({ types }: Pick<TypedData, "types">, struct: string): string =>
  `${struct}(${(types[struct] ?? []).map(({ name, type }) => `${type} ${name}`).join(",")})`;

/** Later seconds are no dates, and stand for no end. */
const lastSecond = 253_402_300_799n;
/** The first second after the last one at which it can be used. Null if that never comes. */
export const after = (last: bigint): bigint | null => (last >= lastSecond ? null : last + 1n);
