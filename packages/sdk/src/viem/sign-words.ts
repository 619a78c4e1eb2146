// The owner's signature over a request, which proves to every reader of the proposal who wrote it.
import { intentTypedData } from "@countersign/wire";
import { toHex } from "viem/utils";
import type { Proposal } from "../types.ts";
import { signerOf, type Wallet } from "./signer.ts";

/** Options of `signWords`. */
export type SignWordsOptions = {
  readonly wallet: Wallet;
  /** The request exactly as the owner typed it. */
  readonly userPrompt: string;
  /** The chain of the transaction. */
  readonly chainId?: number;
  /** Default: in ten minutes. */
  readonly validForMs?: number;
};

/** Signs a request. Pass the result as `intentSignature` of one proposal; it cannot be reused. */
export async function signWords(
  options: SignWordsOptions,
): Promise<NonNullable<Proposal["intentSignature"]>> {
  const { wallet, userPrompt, chainId = 11_155_111, validForMs = 600_000 } = options;
  const { address, signTypedData } = signerOf(wallet);
  const nonce = toHex(crypto.getRandomValues(new Uint8Array(32)));
  const expiresAt = Math.floor((Date.now() + validForMs) / 1000);
  const intent = { account: address, text: userPrompt, chainId, nonce, expiresAt };
  return { signature: await signTypedData(intentTypedData(intent)), nonce, expiresAt };
}
