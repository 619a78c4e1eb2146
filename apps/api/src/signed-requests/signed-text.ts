import { createHash } from "node:crypto";
import { shown, type Account } from "../accounts/index.ts";

/** Everything that a signature over a request covers. */
export type SignedRequest = {
  /** Our own base URL from the configuration. Never the Host header, which a relay may choose. */
  readonly audience: string;
  /** In any letter case. */
  readonly account: Account;
  readonly chainId: number;
  readonly method: string;
  /** Path and query exactly as on the request line, without decoding. */
  readonly target: string;
  readonly body: string | Uint8Array;
  /** Unix seconds. 0 for a nonce that we issued, whose expiry then limits the age of the request. */
  readonly timestamp: number;
  readonly nonce: string;
};

/**
 * The signed text (EIP-191): lines separated by LF, none at the end. No value can contain a line break, so no
 * two requests share a text. The first line distinguishes it from sign-in messages and anything else a wallet
 * signs.
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
