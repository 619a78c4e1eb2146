import type { Account } from "../accounts/index.ts";
import { sha256 } from "../platform/sha256.ts";

/** Identifies the network that requested a nonce for this account without storing its address. */
export const askedFromOf = (account: Account, network: string): string =>
  sha256(`${account} ${network}`).toString("base64url");
