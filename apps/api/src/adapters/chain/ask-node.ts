// Raw requests whose answers are validated here, because viem's types only claim a shape.
import {
  BaseError,
  MethodNotFoundRpcError,
  MethodNotSupportedRpcError,
  numberToHex,
  RpcRequestError,
  type PublicClient,
} from "viem";
import type { z } from "zod";

/** The block after which a call is simulated, and the node that is asked. */
export type Place = { readonly client: PublicClient; readonly chainId: number; readonly block: bigint };

export type Question<T> = {
  readonly method: "eth_simulateV1" | "eth_estimateGas" | "eth_createAccessList";
  readonly first: object;
  readonly shape: z.ZodType<T>;
};

/** Why a call fails or cannot be started. */
export type Refusal = { readonly refusal: string };

/** Returns the answer, or why the call could not be started. Throws for a node that cannot answer. */
export async function askNode<T extends object>(
  { client, chainId, block }: Place,
  { method, first, shape }: Question<T>,
): Promise<T | Refusal> {
  const request = client.request as (question: object) => Promise<unknown>;
  let said: unknown;
  try {
    said = await request({ method, params: [first, numberToHex(block)] });
  } catch (error) {
    return { refusal: whyNotStarted(error, { method, chainId }) };
  }
  const answer = shape.safeParse(said);
  if (answer.success) return answer.data;
  throw new Error(`chain ${chainId}: the node's answer to ${method} cannot be read`);
}

function whyNotStarted(error: unknown, { method, chainId }: { method: string; chainId: number }): string {
  if (error instanceof MethodNotFoundRpcError || error instanceof MethodNotSupportedRpcError)
    throw new Error(`chain ${chainId}: the node does not support ${method}, which simulations need`);
  const told = error instanceof BaseError ? error.walk((cause) => cause instanceof RpcRequestError) : null;
  if (!(told instanceof RpcRequestError)) throw error;
  const known = refusals.find(({ codes, text }) => codes.includes(told.code) || text.test(told.details));
  if (known === undefined) throw error;
  return known.means;
}

/** Nodes report these as errors of the request, with differing codes and texts. */
const refusals: readonly {
  readonly codes: readonly number[];
  readonly text: RegExp;
  readonly means: string;
}[] = [
  { codes: [-38014], text: /insufficient funds/i, means: "insufficient funds" },
  { codes: [-38013], text: /out of gas|exceeds allowance|intrinsic gas/i, means: "out of gas" },
  { codes: [3], text: /execution reverted/i, means: "reverted" },
];
