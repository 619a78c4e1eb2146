// The owner's decision as a signed request. It needs no session and can be verified later.
import type { Countersign } from "../client.ts";
import { CountersignError } from "../errors.ts";
import type { SendOptions } from "../options.ts";
import { randomText } from "../pkce.ts";
import { pathOf } from "../transaction-path.ts";
import type { Approval, Hex } from "../types.ts";
import { requestMessage, signedHeaders, type RequestMessage } from "./signed-request.ts";
import { signerOf, type Wallet } from "./signer.ts";

/** A decision of the owner about a transaction. */
export type Decision = {
  readonly requestHash: string;
  readonly decision: "APPROVED" | "REJECTED";
  /** Why the owner rejects it, for the agent. At most 500 characters. */
  readonly reason?: string;
  /** The service's public address, as published by its operator. A proxy in between has a different one. */
  readonly audience: string;
  /** The chain of a contract wallet. */
  readonly chainId?: number;
  /** Unix seconds. Default: now. */
  readonly timestamp?: number;
  /** Valid once; 16 to 64 letters, digits, _ or -. Default: random. */
  readonly nonce?: string;
};

/** Options of `decisionMessage`. */
export type DecisionMessageOptions = Decision & { readonly address: Hex };

/** The message that the wallet signs. Pass its timestamp and nonce to `decideBySignature` to sign exactly this text. */
export type DecisionMessage = RequestMessage;

/** Options of `decideBySignature`. */
export type DecideBySignatureOptions = Decision & SendOptions & { readonly wallet: Wallet };

/** Returns the message to sign, so that a page can show it first. Throws a CountersignError for invalid options. */
export const decisionMessage = async (options: DecisionMessageOptions): Promise<DecisionMessage> =>
  requestMessage({ ...options, target: targetOf(options), ...sent(options) });

/**
 * Signs and sends the owner's decision. It is sent once, because a signature is valid for one request. Calling it again
 * with the same `idempotencyKey` returns the same decision.
 */
export async function decideBySignature(
  client: Countersign,
  options: DecideBySignatureOptions,
): Promise<Approval> {
  const { wallet, idempotencyKey = randomText(), signal } = options;
  const signer = signerOf(wallet);
  const message = await decisionMessage({ ...options, address: signer.address });
  signal?.throwIfAborted();
  const headers = await signedHeaders(signer, message);
  const ask = { ...sent(options), headers, idempotencyKey, signal, isOneTime: true } as const;
  return (await client.request<Approval>(targetOf(options), ask)).body;
}

/** The decision is part of the target, because the wallet shows that line but only a hash of the body. */
function targetOf({ requestHash, decision }: Decision): string {
  // The signed path must have a single encoding.
  if (!/^0x[0-9a-f]{64}$/i.test(requestHash))
    throw new CountersignError("A request hash must be 0x and 64 hexadecimal digits");
  return `${pathOf(requestHash, "/approvals")}?decision=${decision}`;
}

const sent = ({ decision, reason }: Decision) =>
  ({ method: "POST", body: { decision, ...(reason === undefined ? {} : { reason }) } }) as const;
