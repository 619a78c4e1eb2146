import { createHash } from "node:crypto";
import { shown, type Account } from "../accounts/index.ts";

/** Everything a signature over a request holds fast. */
export type SignedRequest = {
  /** Our own address from the settings. Never the Host header, which whoever relays a request may choose. */
  readonly audience: string;
  /** In any letter case. */
  readonly account: Account;
  readonly chainId: number;
  readonly method: string;
  /** Path and query exactly as on the request line, before anything is decoded. */
  readonly target: string;
  readonly body: string | Uint8Array;
  /** Unix seconds; 0 if the nonce was issued by us, which then says how old the request may be. */
  readonly timestamp: number;
  readonly nonce: string;
};

/**
 * The text that is signed (EIP-191): lines between LF, none at the end. No value can hold a line break, so that no two
 * requests share a text. Its first line keeps it apart from sign-in messages and from whatever else a wallet signs.
 */
export const signedText = (request: SignedRequest): string =>
  [
    "Ethereum Signed HTTP Request v1",
    `audience: ${request.audience}`,
    `address: ${shown(request.account)}`,
    `chain-id: ${request.chainId}`,
    `method: ${request.method}`,
    `target: ${request.target}`,
    `content-sha256: ${createHash("sha256").update(request.body).digest("hex")}`,
    `timestamp: ${request.timestamp}`,
    `nonce: ${request.nonce}`,
  ].join("\n");
