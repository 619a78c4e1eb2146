// The part of a chain's state that one call reads, with the proof that it is that block's state. Results are a function of
// this object alone.
import canonicalize from "canonicalize";
import { keccak256, stringToBytes } from "viem/utils";
import { z } from "zod";
import type { Hex } from "@countersign/wire";

/** Upper limits of a witness. A call that needs more is not executed. */
export const limits = {
  accounts: 1_000,
  slots: 20_000,
  /** Bytes of one contract. EIP-170 allows 24,576; some chains allow more. */
  codeBytes: 65_536,
  /** A branch of 16 hashes has 532 bytes. */
  nodeBytes: 1_024,
  headerBytes: 2_048,
  calldataBytes: 131_072,
  /** All codes, trie nodes, headers and following calls together. */
  totalBytes: 8 * 2 ** 20,
  /** EIP-7825. */
  gas: 2n ** 24n,
  /** Calls of the same account, one after the other. */
  calls: 64,
  /** Names to resolve, and the characters of one. */
  names: 4,
  nameCharacters: 255,
} as const;

const matching = (pattern: RegExp) => z.custom<Hex>((text) => typeof text === "string" && pattern.test(text));
const address = matching(/^0x[0-9a-f]{40}$/);
const hash = matching(/^0x[0-9a-f]{64}$/);
const quantity = matching(/^0x(?:0|[1-9a-f][0-9a-f]{0,63})$/);
const bytesUpTo = (most: number) =>
  matching(/^0x(?:[0-9a-f]{2})*$/).refine((text) => text.length <= 2 + 2 * most);
const gas = quantity.refine((text) => BigInt(text) <= limits.gas);

const account = z
  .strictObject({
    balance: quantity,
    nonce: quantity,
    codeHash: hash,
    /** By slot. A slot that is not listed is unknown, not empty. */
    storage: z.record(hash, quantity).readonly(),
  })
  .readonly();

const call = z
  .strictObject({
    from: address,
    to: address,
    value: quantity,
    data: bytesUpTo(limits.calldataBytes),
    gas,
    maxFeePerGas: quantity,
    maxPriorityFeePerGas: quantity,
  })
  .refine((fees) => BigInt(fees.maxPriorityFeePerGas) <= BigInt(fees.maxFeePerGas))
  .readonly();

/** Pays the fees of the call before it. */
const followingCall = z
  .strictObject({ to: address, value: quantity, data: bytesUpTo(limits.calldataBytes), gas })
  .readonly();

const witness = z
  .strictObject({
    version: z.literal(1),
    chainId: quantity,
    /** The rules of the block after the proven one. */
    hardfork: z.enum(["cancun", "prague", "osaka"]),
    /** The proven block. */
    blockHash: hash,
    /** RLP of its header and of its ancestors' headers, newest first. They prove the state root and block hashes. */
    headers: z.array(bytesUpTo(limits.headerBytes)).min(1).max(256).readonly(),
    call,
    /** Calls that the sender makes after `call`, in their order. */
    following: z
      .array(followingCall)
      .min(1)
      .max(limits.calls - 1)
      .readonly()
      .optional(),
    /**
     * The account that has signed what lets others make the sender do this. It is the sender, or one that the sender names as an owner. Another
     * account sends the transaction and pays for it.
     */
    signer: address.optional(),
    /** By address. One that does not exist is listed as empty; one that is not listed is unknown. */
    accounts: z.record(address, account).readonly(),
    /** By hash, each once. */
    codes: z.record(hash, bytesUpTo(limits.codeBytes)).readonly(),
    /** Nodes of the state and storage tries, each once. */
    nodes: z.array(bytesUpTo(limits.nodeBytes)).readonly(),
    /** Names that are resolved on this state, normalised. Naming one only adds to what is read; its address is proven. */
    names: z
      .array(z.string().min(1).max(limits.nameCharacters))
      .min(1)
      .max(limits.names)
      .refine((names) => new Set(names).size === names.length)
      .readonly()
      .optional(),
  })
  .readonly();

export type Witness = z.infer<typeof witness>;
export type WitnessAccount = z.infer<typeof account>;
export type Call = z.infer<typeof call>;
export type FollowingCall = z.infer<typeof followingCall>;
export type Hardfork = Witness["hardfork"];

/** Returns undefined for anything that is not a complete witness within the limits. Checks the form, not the proof. */
export function readWitness(given: unknown): Witness | undefined {
  const read = witness.safeParse(given);
  return read.success && isWithinLimits(read.data) ? read.data : undefined;
}

function isWithinLimits({ accounts, codes, nodes, headers, following = [] }: Witness): boolean {
  const all = Object.values(accounts);
  const slots = all.reduce((sum, { storage }) => sum + Object.keys(storage).length, 0);
  const texts = [...Object.values(codes), ...nodes, ...headers, ...following.map(({ data }) => data)];
  const digits = texts.reduce((sum, text) => sum + text.length, 0);
  return all.length <= limits.accounts && slots <= limits.slots && digits / 2 <= limits.totalBytes;
}

/** Returns keccak256 of the witness as RFC 8785 JSON, whatever the order of its members. */
export function hashWitness(given: Witness): Hex {
  const text = canonicalize(given);
  if (text === undefined) throw new TypeError("A witness is a JSON value.");
  return keccak256(stringToBytes(text));
}
