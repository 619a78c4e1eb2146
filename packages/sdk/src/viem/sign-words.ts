// The owner's own signature over the words: whoever looks at the proposal is told that the words are theirs.
import { intentTypedData } from "@countersign/wire";
import { toHex } from "viem/utils";
import type { Proposal } from "../types.ts";
import { signerOf, type Wallet } from "./signer.ts";

export type SignWordsOptions = {
  readonly wallet: Wallet;
  /** What they typed, byte for byte. */
  readonly userPrompt: string;
  /** The chain that the transaction is for. */
  readonly chainId?: number;
  /** Ten minutes, unless it is said. */
  readonly validForMs?: number;
};

/** The `intentSignature` of one proposal: it is used up by the first. */
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
