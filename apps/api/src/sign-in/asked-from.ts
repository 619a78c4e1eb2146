import type { Account } from "../accounts/index.ts";
import { sha256 } from "../platform/sha256.ts";

/** Names the network that asked for a nonce of this account, without naming its address: the database keeps none for it. */
export const askedFromOf = (account: Account, network: string): string =>
  sha256(`${account} ${network}`).toString("base64url");
