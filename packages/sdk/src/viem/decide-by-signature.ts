// The owner's decision, signed as a request of its own: it holds without a session, for whoever keeps it.
import { getAddress, hashMessage } from "viem/utils";
import type { Countersign } from "../client.ts";
import { CountersignError } from "../errors.ts";
import { bodyOf } from "../http/ask.ts";
import type { SendOptions } from "../options.ts";
import { randomText } from "../pkce.ts";
import { pathOf } from "../transaction-path.ts";
import type { Approval, Hex } from "../types.ts";
import { signerOf, type Wallet } from "./signer.ts";

type Decision = {
  readonly requestHash: string;
  readonly decision: "APPROVED" | "REJECTED";
  /** The service's own address, as its operator published it: whatever stands in between has another. */
  readonly audience: string;
  /** Where a contract wallet lives. */
  readonly chainId?: number;
  /** Unix seconds. Now, unless it is said. */
  readonly timestamp?: number;
  /** Good once. A random one, unless it is said. */
  readonly nonce?: string;
};

export type DecisionMessageOptions = Decision & { readonly address: Hex };

export type DecisionMessage = {
  /** What the wallet shows and signs. */
  readonly text: string;
  /** Of the text by EIP-191, as a device may show it instead. */
  readonly hash: Hex;
  /** Given to `decideBySignature`, they make it sign this very text. */
  readonly timestamp: number;
  readonly nonce: string;
};

export type DecideBySignatureOptions = Decision & SendOptions & { readonly wallet: Wallet };

const sepolia = 11_155_111;

/** What is going to be signed, for a page that shows it before the wallet does. */
export async function decisionMessage(options: DecisionMessageOptions): Promise<DecisionMessage> {
  const { address, audience, chainId = sepolia, nonce = randomText() } = options;
  const { timestamp = Math.floor(Date.now() / 1000) } = options;
  if (!/^https?:\/\/[!-~]+$/.test(audience))
    throw new CountersignError(
      "The audience is the service's own address: it begins with https:// or http://",
    );
  if (!/^[A-Za-z0-9_-]{16,64}$/.test(nonce))
    throw new CountersignError("A nonce is 16 to 64 letters, digits, _ or -");
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

/** Sent once: a signature is good for one request. With the same `idempotencyKey` it can be decided again, and is the same decision. */
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

/** The decision stands in the address too: that line is shown, and of the body only a hash. */
function targetOf({ requestHash, decision }: Decision): string {
  // It is signed as it is sent, so there must be nothing in it that could be written in two ways.
  if (!/^0x[0-9a-f]{64}$/i.test(requestHash))
    throw new CountersignError("A request hash is 0x and 64 hexadecimal digits");
  return `${pathOf(requestHash, "/approvals")}?decision=${decision}`;
}

const sent = ({ decision }: Decision) => ({ method: "POST", body: { decision } }) as const;

/** Written by what writes it when it is sent. */
const sentBody = (decision: Decision): string => String(bodyOf(sent(decision)));

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
