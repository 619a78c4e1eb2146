// Who comes to a transaction, and what that alone lets them do.
import type { Account } from "../accounts/index.ts";
import { isServerKeyType, type KeyCaller } from "../api-keys/index.ts";
import type { OAuthCaller } from "../oauth/index.ts";
import type { JwtCaller } from "../sign-in/index.ts";
import type { SignatureCaller } from "../signed-requests/index.ts";

/** The owner in person, signed in or signing, or a program with a key or with an access token that the owner gave it. */
export type Caller = JwtCaller | SignatureCaller | KeyCaller | OAuthCaller;

/** Whoever may decide. A program's token never may: nothing that takes one leads to a decision. */
export type Decider = Exclude<Caller, OAuthCaller>;

/** ADMIN and ORION keys belong to no account. */
export const isServer = (caller: Caller): boolean =>
  caller.scheme === "apiKey" && isServerKeyType(caller.type);

/** By what only the owner has: a sign-in or a signature, never a key or a program's token. */
export const isInPerson = (caller: Caller, account: Account): boolean =>
  (caller.scheme === "jwt" || caller.scheme === "signature") && caller.account === account;

/** The owner, the owner's keys as far as they may, and the service's own parts. */
export const mayRead = (caller: Caller, account: Account): boolean =>
  isServer(caller) ||
  isInPerson(caller, account) ||
  (caller.account === account && caller.scopes.includes("transactions:read:own"));

/** Names the credential, as the `proposer` of a transaction does. */
export function proposerOf(caller: Caller): string {
  if (caller.scheme === "apiKey") return `key:${caller.keyId}`;
  return caller.scheme === "oauth" ? `oauth:${caller.grantId}` : `${caller.scheme}:${caller.account}`;
}
