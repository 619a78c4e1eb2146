// The owner's decision as a signed request. It needs no session and can be verified later.
import { getAddress, hashMessage } from "viem/utils";
import type { Countersign } from "../client.ts";
import { CountersignError } from "../errors.ts";
import { bodyOf } from "../http/ask.ts";
import type { SendOptions } from "../options.ts";
import { randomText } from "../pkce.ts";
import { pathOf } from "../transaction-path.ts";
import type { Approval, Hex } from "../types.ts";
import { signerOf, type Wallet } from "./signer.ts";

/** A decision of the owner about a transaction. */
export type Decision = {
  readonly requestHash: string;
  readonly decision: "APPROVED" | "REJECTED";
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

/** The message that the wallet signs. */
export type DecisionMessage = {
  /** The text that the wallet shows and signs. */
  readonly text: string;
  /** The EIP-191 hash of the text. Some devices show it instead. */
  readonly hash: Hex;
  /** Pass both to `decideBySignature` to sign exactly this text. */
  readonly timestamp: number;
  readonly nonce: string;
};

/** Options of `decideBySignature`. */
export type DecideBySignatureOptions = Decision & SendOptions & { readonly wallet: Wallet };

const sepolia = 11_155_111;

/** Returns the message to sign, so that a page can show it first. Throws a CountersignError for invalid options. */
export async function decisionMessage(options: DecisionMessageOptions): Promise<DecisionMessage> {
  const { address, audience, chainId = sepolia, nonce = randomText() } = options;
  const { timestamp = Math.floor(Date.now() / 1000) } = options;
  if (!/^https?:\/\/[!-~]+$/.test(audience))
    throw new CountersignError(
      "The audience must be the service's address and begin with https:// or http://",
    );
  if (!/^[A-Za-z0-9_-]{16,64}$/.test(nonce))
    throw new CountersignError("A nonce must have 16 to 64 letters, digits, _ or -");
  const text = [
    "Ethereum Signed HTTP Request v1",
    `audience: ${audience.replace(/\/$/, "")}`,
    `address: ${getAddress(address)}`,
    `chain-id: ${chainId}`,
    "method: POST",
    `target: ${targetOf(options)}`,
    `content-sha256: ${await sha256(sentBody(options))}`,
    `timestamp: ${timestamp}`,
    `nonce: ${nonce}`,
  ].join("\n");
  return { text, hash: hashMessage(text), timestamp, nonce };
}

/**
 * Signs and sends the owner's decision. It is sent once, because a signature is valid for one request. Calling it again
 * with the same `idempotencyKey` returns the same decision.
 */
export async function decideBySignature(
  client: Countersign,
  options: DecideBySignatureOptions,
): Promise<Approval> {
  const { wallet, chainId = sepolia, idempotencyKey = randomText(), signal } = options;
  const { address, signMessage } = signerOf(wallet);
  const { text, timestamp, nonce } = await decisionMessage({ ...options, address });
  signal?.throwIfAborted();
  const headers = {
    "x-ethereum-address": address,
    "x-ethereum-signature": await signMessage(text),
    "x-ethereum-timestamp": String(timestamp),
    "x-ethereum-nonce": nonce,
    "x-ethereum-chain-id": String(chainId),
  };
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

const sent = ({ decision }: Decision) => ({ method: "POST", body: { decision } }) as const;

/** Serialized by the same function that serializes the request. */
const sentBody = (decision: Decision): string => String(bodyOf(sent(decision)));

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
