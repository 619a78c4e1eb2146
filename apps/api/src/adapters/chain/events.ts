// Events, whole transactions and the state after a block, by which the use of a signature is proven.
import {
  BaseError,
  RpcRequestError,
  TransactionReceiptNotFoundError,
  type PublicClient,
  type RpcLog,
} from "viem";
import { recoverAuthorizationAddress } from "viem/utils";
import type { Hex } from "@countersign/wire";
import { lowerCase, orUndefined } from "./node.ts";

export type EventFilter = { readonly contracts: readonly Hex[]; readonly topics: readonly Hex[] };

export type MinedEvent = {
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  /** The transaction that emitted it. */
  readonly hash: Hex;
};

/** An EIP-7702 tuple and who signed it. */
type Delegation = {
  readonly chainId: number;
  readonly address: Hex;
  readonly nonce: bigint;
  readonly authority: Hex;
};

/** In lower case. A failed transaction has no events, and its delegations stay in force. */
export type MinedTransaction = {
  readonly block: bigint;
  readonly blockHash: Hex;
  readonly from: Hex;
  readonly to: Hex | null;
  readonly value: bigint;
  readonly input: Hex;
  readonly succeeded: boolean;
  readonly logs: readonly Omit<MinedEvent, "hash">[];
  readonly delegations: readonly Delegation[];
};

/** A call, or the nonce or code of an account. */
export type StateQuestion =
  { readonly to: Hex; readonly data: Hex } | { readonly nonceOf: Hex } | { readonly codeOf: Hex };

/** Nodes limit the length of a filter. Without contracts, it finds those of others too. */
const contractsAtMost = 100;

export async function readEvents(
  client: PublicClient,
  blockHash: Hex,
  { contracts, topics }: EventFilter,
): Promise<readonly MinedEvent[]> {
  const address = contracts.length > contractsAtMost ? {} : { address: [...contracts] };
  const logs = await client.request({
    method: "eth_getLogs",
    params: [{ blockHash, topics: [[...topics]], ...address }],
  });
  const wanted = new Set(contracts);
  return logs.flatMap(({ transactionHash, ...log }) => {
    const event = eventOf(log);
    return transactionHash !== null && wanted.has(event.address)
      ? [{ ...event, hash: lowerCase(transactionHash) }]
      : [];
  });
}

const eventOf = ({ address, topics, data }: Pick<RpcLog, "address" | "topics" | "data">) => ({
  address: lowerCase(address),
  topics: topics.map(lowerCase),
  data: lowerCase(data),
});

export const readMined = (client: PublicClient, hash: Hex): Promise<MinedTransaction | undefined> =>
  orUndefined(TransactionReceiptNotFoundError, async () => {
    const receipt = await client.getTransactionReceipt({ hash });
    const { from, to, value, input, authorizationList = [] } = await client.getTransaction({ hash });
    return {
      block: receipt.blockNumber,
      blockHash: lowerCase(receipt.blockHash),
      from: lowerCase(from),
      to: to === null ? null : lowerCase(to),
      value,
      input: lowerCase(input),
      succeeded: receipt.status === "success",
      logs: receipt.logs.map(({ address, topics, data }) => eventOf({ address, topics, data })),
      delegations: (await Promise.all(authorizationList.map(delegationOf))).flat(),
    };
  });

type Authorization = Parameters<typeof recoverAuthorizationAddress>[0]["authorization"];
type SignedAuthorization = Authorization & {
  readonly chainId: number;
  readonly address: Hex;
  readonly nonce: number;
};

/** A tuple with an invalid signature is skipped by the chain. */
async function delegationOf(authorization: SignedAuthorization): Promise<readonly Delegation[]> {
  const { chainId, address, nonce } = authorization;
  try {
    const authority = lowerCase(await recoverAuthorizationAddress({ authorization }));
    return [{ chainId, address: lowerCase(address), nonce: BigInt(nonce), authority }];
  } catch {
    return [];
  }
}

/** EIP-1898: of exactly this block, also if another one has its number by now. */
type At = { readonly blockHash: Hex };

export async function readState(
  client: PublicClient,
  question: StateQuestion,
  blockHash: Hex,
): Promise<Hex | undefined> {
  const request = client.request as (asked: object) => Promise<unknown>;
  const at: At = { blockHash };
  if ("nonceOf" in question)
    return asHex(await request({ method: "eth_getTransactionCount", params: [question.nonceOf, at] }));
  if ("codeOf" in question)
    return asHex(await request({ method: "eth_getCode", params: [question.codeOf, at] }));
  try {
    return asHex(await request({ method: "eth_call", params: [question, at] }));
  } catch (error) {
    if (isRevert(error)) return undefined;
    throw error;
  }
}

function asHex(answer: unknown): Hex {
  if (typeof answer === "string" && /^0x[0-9a-f]*$/i.test(answer)) return lowerCase(answer as Hex);
  throw new Error("the node's answer about the state cannot be read");
}

function isRevert(error: unknown): boolean {
  const told = error instanceof BaseError ? error.walk((cause) => cause instanceof RpcRequestError) : null;
  return told instanceof RpcRequestError && (told.code === 3 || /revert/i.test(told.details));
}
