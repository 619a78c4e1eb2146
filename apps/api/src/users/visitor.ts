import { isServerKeyType, type KeyCaller } from "../api-keys/index.ts";
import type { SignatureCaller } from "../signed-requests/index.ts";
import type { Account } from "../accounts/index.ts";

/** Whoever asks about users: a program with a key, or the owner of an address. */
export type Visitor = KeyCaller | SignatureCaller;

/** ADMIN and ORION keys belong to no account and speak for the service. */
const isServer = (visitor: Visitor): boolean => visitor.scheme === "apiKey" && isServerKeyType(visitor.type);

/** A key of an account may be away from its owner's hands: only the owner's own signature makes a user. */
export const mayCreate = (visitor: Visitor, account: Account): boolean =>
  isServer(visitor) || (visitor.scheme === "signature" && visitor.account === account);

export const maySeeAll = (visitor: Visitor, account: Account): boolean =>
  isServer(visitor) || visitor.account === account;
