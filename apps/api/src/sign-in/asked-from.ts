import { networkOf } from "@countersign/platform/http";
import type { Account } from "../accounts/index.ts";
import { sha256 } from "../platform/sha256.ts";

/** Names the network that asked for a nonce of this account, without naming its address: the database keeps none for it. */
export const askedFromOf = (account: Account, ip: string): string =>
  sha256(`${account} ${networkOf(ip)}`).toString("base64url");
