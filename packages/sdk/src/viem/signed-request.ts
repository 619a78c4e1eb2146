// A request that the wallet signs instead of a session. One signature is valid for one request, once.
import { getAddress, hashMessage } from "viem/utils";
import { CountersignError } from "../errors.ts";
import { bodyOf } from "../http/ask.ts";
import { randomText } from "../pkce.ts";
import type { Hex } from "../types.ts";
import type { signerOf } from "./signer.ts";

/** The text of a signed request. */
export type RequestMessage = {
  /** The text that the wallet shows and signs. */
  readonly text: string;
  /** The EIP-191 hash of the text. Some devices show it instead. */
  readonly hash: Hex;
  readonly chainId: number;
  readonly timestamp: number;
  readonly nonce: string;
};

type Options = {
  readonly address: Hex;
  readonly audience: string;
  readonly chainId?: number;
  readonly timestamp?: number;
  readonly nonce?: string;
  readonly method: "POST" | "PUT";
  readonly target: string;
  readonly body: object;
};

const sepolia = 11_155_111;

/** Throws a CountersignError for an invalid audience or nonce. */
export async function requestMessage(options: Options): Promise<RequestMessage> {
  const { address, audience, method, target, body } = options;
  const { chainId = sepolia, nonce = randomText(), timestamp = Math.floor(Date.now() / 1000) } = options;
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
    `method: ${method}`,
    `target: ${target}`,
    // Serialized by the same function that serializes the request.
    `content-sha256: ${await sha256(String(bodyOf({ method, body })))}`,
    `timestamp: ${timestamp}`,
    `nonce: ${nonce}`,
  ].join("\n");
  return { text, hash: hashMessage(text), chainId, timestamp, nonce };
}

/** Asks the wallet to sign, and returns the headers of the request. */
export const signedHeaders = async (
  { address, signMessage }: ReturnType<typeof signerOf>,
  { text, chainId, timestamp, nonce }: RequestMessage,
): Promise<Readonly<Record<string, string>>> => ({
  "x-ethereum-address": address,
  "x-ethereum-signature": await signMessage(text),
  "x-ethereum-timestamp": String(timestamp),
  "x-ethereum-nonce": nonce,
  "x-ethereum-chain-id": String(chainId),
});

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
