// Reads a batch request strictly, because a capability or an unknown member could change what is sent.
import { parseCalls, TypedDataProblem, type Calls } from "@countersign/wire";
import { isAddress } from "viem/utils";
import type { Hex } from "../types.ts";
import { NotApprovedError } from "./not-approved.ts";

const refuse = (why: string): never => {
  throw new NotApprovedError(`Not sent: ${why}`);
};

/** The batch, without a sender if the caller named none. */
type GivenCalls = { readonly from: Hex | undefined; readonly parse: (from: Hex) => Calls };

/**
 * Reads the parameters of `wallet_sendCalls`. If `address` is set, the sender must be that one. The result is a copy that the
 * caller cannot change.
 */
export function readCalls(params: unknown, address?: Hex): GivenCalls {
  const [asked, ...more] = Array.isArray(params) ? (params as unknown[]) : [];
  if (typeof asked !== "object" || asked === null || more.length > 0)
    return refuse("it is not a single batch of calls");
  const given = structuredClone(withoutUndefined(asked));
  const from = readFrom(given["from"], address);
  return { from, parse: (sender) => parseStrictly({ ...given, from: sender }) };
}

type Given = Readonly<Record<string, unknown>>;

/** Libraries write members that were not set as undefined. */
const withoutUndefined = (object: object): Given =>
  Object.fromEntries(
    Object.entries(object)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]: [string, unknown]) => [
        name,
        name === "calls" && Array.isArray(value) ? value.map(callWithoutUndefined) : value,
      ]),
  );

const callWithoutUndefined = (call: unknown): unknown =>
  typeof call === "object" && call !== null ? withoutUndefined(call) : call;

function readFrom(from: unknown, address: Hex | undefined): Hex | undefined {
  if (from === undefined) return undefined;
  if (typeof from !== "string" || !isAddress(from, { strict: false }))
    return refuse("its sender is not an address");
  return from.toLowerCase() === (address ?? from).toLowerCase()
    ? from
    : refuse("its sender is another wallet");
}

/** Returns the canonical form of a batch. */
function parseStrictly(given: unknown): Calls {
  try {
    return parseCalls(given);
  } catch (error) {
    if (error instanceof TypedDataProblem) return refuse(`its ${error.at} ${error.message}`);
    throw error;
  }
}
