// A batch of calls for a wallet (EIP-5792, version 2.0.0), in one canonical form. The standard defines no hash, so this is
// ours: an EIP-712 structure over everything that the wallet is asked to do.
import type { Hex } from "viem";
import type { TypedData } from "./typed-data.ts";
import { readChainId } from "./typed-data/domain.ts";
import { fail, isObject, type Json } from "./typed-data/problem.ts";
import { parseStruct } from "./typed-data/values.ts";

export type BatchCall = {
  readonly to: Hex;
  /** Wei, as a decimal string. */
  readonly value: string;
  readonly data: Hex;
};

/** The parameter of `wallet_sendCalls`, without capabilities: they could change what is sent, and who pays. */
export type Calls = {
  readonly version: "2.0.0";
  readonly chainId: number;
  readonly from: Hex;
  /** Whether all calls must be executed together or none of them. */
  readonly atomicRequired: boolean;
  /** In the order of their execution. */
  readonly calls: readonly BatchCall[];
};

export const maximumCalls = 64;

const version = "2.0.0";

const types = {
  Batch: [
    { name: "from", type: "address" },
    { name: "atomicRequired", type: "bool" },
    { name: "calls", type: "Call[]" },
  ],
  Call: [
    { name: "to", type: "address" },
    { name: "value", type: "uint256" },
    { name: "data", type: "bytes" },
  ],
} as const;

const members: ReadonlySet<string> = new Set(["version", "chainId", "from", "atomicRequired", "calls"]);

/**
 * Returns the canonical form of a batch. Throws a TypedDataProblem that names the member: one that the hash would not cover,
 * such as capabilities, a call without a recipient, an empty list or one of more than 64 calls.
 */
export function parseCalls(json: unknown): Calls {
  if (!isObject(json)) return fail("calls", "must be an object");
  const other = Object.keys(json).find((name) => !members.has(name));
  if (other !== undefined) return fail(other, "would change what is sent, but a proposal does not cover it");
  if ((json["version"] ?? version) !== version) return fail("version", `must be ${version}`);
  const { from, atomicRequired, calls } = json;
  if (!Array.isArray(calls) || calls.length === 0 || calls.length > maximumCalls)
    return fail("calls", `must be a list of 1 to ${maximumCalls} calls`);
  const batch = { from, atomicRequired, calls: calls.map(withDefaults) };
  const chainId = readChainId(json["chainId"], "chainId");
  return { version, chainId, ...(parseStruct(batch, "Batch", types, "") as Parsed) };
}

type Parsed = Pick<Calls, "from" | "atomicRequired" | "calls">;

/** EIP-5792 lets an app leave them out. A missing recipient would be a deployment, which is rejected. */
const withDefaults = (call: unknown): unknown =>
  isObject(call) ? { ...call, value: call["value"] ?? "0", data: call["data"] ?? "0x" } : call;

/** Returns the structure that the hash of a batch covers. No wallet signs it. */
export const callsTypedData = ({ chainId, from, atomicRequired, calls }: Calls): TypedData => ({
  domain: { name: "Countersign", version: "2", chainId },
  types,
  primaryType: "Batch",
  message: { from, atomicRequired, calls } satisfies Json,
});
