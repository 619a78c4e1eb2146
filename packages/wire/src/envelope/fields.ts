// The kinds of fields that envelopes, contents and nudges are made of.
import type { Hex } from "viem";
import { z } from "zod";
import { isUint256 } from "../read-json.ts";
import { parseTypedData, TypedDataProblem, type TypedData } from "../typed-data.ts";

/** Any letter case is accepted; inside there is only lower case, so that equal bytes are equal strings. */
const hex = (pattern: RegExp, message: string) =>
  z
    .string()
    .regex(pattern, message)
    .refine((text) => text.length % 2 === 0, message)
    .transform((text) => text.toLowerCase() as Hex);

export const Address = hex(/^0x[0-9a-fA-F]{40}$/, "must be an Ethereum address");
export const Word = hex(/^0x[0-9a-fA-F]{64}$/, "must be 32 bytes in hex");
export const Bytes = hex(/^0x[0-9a-fA-F]*$/, "must be bytes in hex");

/** The signature of a contract wallet may be far longer than that of a key. */
export const WalletSignature = hex(/^0x[0-9a-fA-F]{2,4096}$/, "must be a signature of at most 2 kB in hex");

export const Uint256 = z.string().refine(isUint256, "must be a decimal number below 2^256");

/** Zod's integers are those that a double holds exactly. */
export const Count = z.int().nonnegative();
export const ChainId = z.int().positive();
export const ExecutionTypeField = z.literal([0, 1, 2]);

/** A lone half of a surrogate pair has no UTF-8 form, so there is no hash of it either. */
export const Text = z.string().refine((text) => text.isWellFormed(), "must be well-formed Unicode");

/** Deeper than any honest context, and far from where a recursive reader runs out of stack. */
const maximumDepth = 64;

export const Context = z
  .record(z.string(), z.unknown())
  .refine((context) => isNestedWithin(context, maximumDepth), `must be nested at most ${maximumDepth} deep`);

function isNestedWithin(json: unknown, depth: number): boolean {
  if (typeof json !== "object" || json === null) return true;
  return depth > 0 && Object.values(json).every((member) => isNestedWithin(member, depth - 1));
}

/** Typed data in its canonical form. The issue names the member that cannot be signed in one way. */
export const TypedDataField = z
  .object({
    domain: z.record(z.string(), z.unknown()),
    types: z.record(z.string(), z.array(z.object({ name: z.string(), type: z.string() }))),
    primaryType: z.string(),
    message: z.record(z.string(), z.unknown()),
  })
  .loose()
  .transform((json, context): TypedData => {
    try {
      return parseTypedData(json);
    } catch (error) {
      if (!(error instanceof TypedDataProblem)) throw error;
      context.addIssue({ code: "custom", path: error.at.split("."), message: error.message });
      return z.NEVER;
    }
  });
