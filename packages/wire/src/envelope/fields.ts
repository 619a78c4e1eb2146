// The kinds of fields that envelopes, contents and nudges are made of.
import type { Hex } from "viem";
import { z } from "zod";
import { parseAuthorizationList, type AuthorizationList } from "../authorization-list.ts";
import { isUint256 } from "../read-json.ts";
import { parseCalls, type Calls } from "../calls.ts";
import { parseMessage } from "../message.ts";
import { parseSafeTransaction, type SafeTransaction } from "../safe-transaction.ts";
import { parseTypedData, TypedDataProblem, type TypedData } from "../typed-data.ts";
import { parseUserOperation, type UserOperation } from "../user-operation.ts";

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

/** Returns a transformation into the one form that `parse` returns. */
const parsedBy =
  <T>(parse: (json: unknown) => T) =>
  (json: unknown, context: z.RefinementCtx): T => {
    try {
      return parse(json);
    } catch (error) {
      if (!(error instanceof TypedDataProblem)) throw error;
      context.addIssue({ code: "custom", path: error.at.split("."), message: error.message });
      return z.NEVER;
    }
  };

/** Typed data in its canonical form. The issue names the member that cannot be signed in one way. */
export const TypedDataField = z
  .object({
    domain: z.record(z.string(), z.unknown()),
    types: z.record(z.string(), z.array(z.object({ name: z.string(), type: z.string() }))),
    primaryType: z.string(),
    message: z.record(z.string(), z.unknown()),
  })
  .loose()
  .transform(parsedBy<TypedData>(parseTypedData));

/** A batch of calls in its canonical form. The issue names the member that is not covered or malformed. */
export const CallsField = z
  .object({
    version: z.string().optional(),
    chainId: z.union([z.number(), z.string()]),
    from: z.string(),
    atomicRequired: z.boolean(),
    calls: z.array(
      z.looseObject({ to: z.string(), value: z.string().optional(), data: z.string().optional() }),
    ),
  })
  .loose()
  .transform(parsedBy<Calls>(parseCalls));

/** A text to be signed. The issue says why wallets could sign or show it in different ways. */
export const MessageField = z.string().transform(parsedBy<string>(parseMessage));

/** Clients write amounts as text, and small ones as numbers. */
const Quantity = z.union([z.string(), z.number()]);

/** A Safe's transaction in its canonical form. The issue names the member that is not covered or malformed. */
export const SafeTransactionField = z
  .object({
    chainId: Quantity,
    safe: z.string(),
    to: z.string(),
    value: Quantity.nullish(),
    data: z.string().nullish(),
    operation: Quantity.nullish(),
    safeTxGas: Quantity.nullish(),
    baseGas: Quantity.nullish(),
    gasPrice: Quantity.nullish(),
    gasToken: z.string().nullish(),
    refundReceiver: z.string().nullish(),
    nonce: Quantity,
  })
  .loose()
  .transform(parsedBy<SafeTransaction>(parseSafeTransaction));

/** A list of one EIP-7702 authorization in its canonical form. The issue names the member that is not covered or malformed. */
export const AuthorizationListField = z
  .array(z.looseObject({ chainId: Quantity, address: z.string(), nonce: Quantity }))
  .transform(parsedBy<AuthorizationList>(parseAuthorizationList));

/** A user operation in its canonical form. The issue names the member that is not covered or malformed. */
export const UserOperationField = z
  .object({
    chainId: Quantity,
    entryPoint: z.string(),
    entryPointVersion: z.string().optional(),
    sender: z.string(),
    nonce: Quantity,
    factory: z.string().nullish(),
    factoryData: z.string().nullish(),
    callData: z.string(),
    callGasLimit: Quantity,
    verificationGasLimit: Quantity,
    preVerificationGas: Quantity,
    maxFeePerGas: Quantity,
    maxPriorityFeePerGas: Quantity,
    paymaster: z.string().nullish(),
    paymasterVerificationGasLimit: Quantity.nullish(),
    paymasterPostOpGasLimit: Quantity.nullish(),
    paymasterData: z.string().nullish(),
  })
  .loose()
  .transform(parsedBy<UserOperation>(parseUserOperation));
