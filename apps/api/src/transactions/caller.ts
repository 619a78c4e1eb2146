// The callers of transactions, and what each may do.
import type { Account } from "../accounts/index.ts";
import { isServerKeyType, type KeyCaller } from "../api-keys/index.ts";
import type { OAuthCaller } from "../oauth/index.ts";
import type { JwtCaller } from "../sign-in/index.ts";
import type { SignatureCaller } from "../signed-requests/index.ts";

/**
 * The owner in person, with a session or a signature, or a program with an API key or with an access token
 * from the owner.
 */
export type Caller = JwtCaller | SignatureCaller | KeyCaller | OAuthCaller;

/** A caller who may decide. A program's OAuth token may not: no endpoint that accepts one leads to a decision. */
export type Decider = Exclude<Caller, OAuthCaller>;

/** ADMIN and ORION keys have no account. */
export const isServer = (caller: Caller): boolean =>
  caller.scheme === "apiKey" && isServerKeyType(caller.type);

/**
 * Whether the credential is one that only the owner has: a session or a signature, never an API key or a
 * program's token.
 */
export const isInPerson = (caller: Caller, account: Account): boolean =>
  (caller.scheme === "jwt" || caller.scheme === "signature") && caller.account === account;

/** For the owner, the owner's programs within their scopes, and the service's own parts. */
export const mayRead = (caller: Caller, account: Account): boolean =>
  isServer(caller) ||
  isInPerson(caller, account) ||
  (caller.account === account && caller.scopes.includes("transactions:read:own"));

/** Names the credential, as in the `proposer` of a transaction. */
export function proposerOf(caller: Caller): string {
  if (caller.scheme === "apiKey") return `key:${caller.keyId}`;
  return caller.scheme === "oauth" ? `oauth:${caller.grantId}` : `${caller.scheme}:${caller.account}`;
}
