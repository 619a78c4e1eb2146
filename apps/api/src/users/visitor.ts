import { isServerKeyType, type KeyCaller } from "../api-keys/index.ts";
import type { SignatureCaller } from "../signed-requests/index.ts";
import type { Account } from "../accounts/index.ts";

/** A caller of the user endpoints: a program with an API key, or the owner of an address. */
export type Visitor = KeyCaller | SignatureCaller;

/** ADMIN and ORION keys have no account and act for the service. */
const isServer = (visitor: Visitor): boolean => visitor.scheme === "apiKey" && isServerKeyType(visitor.type);

/** An account's API key may be in other hands, so only the owner's own signature creates a user. */
export const mayCreate = (visitor: Visitor, account: Account): boolean =>
  isServer(visitor) || (visitor.scheme === "signature" && visitor.account === account);

export const maySeeAll = (visitor: Visitor, account: Account): boolean =>
  isServer(visitor) || visitor.account === account;
