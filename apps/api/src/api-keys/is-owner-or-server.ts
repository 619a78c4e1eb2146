import type { Account } from "../accounts/index.ts";
import type { KeyCaller } from "./authenticate.ts";
import { isServerKeyType } from "./server-keys.ts";

type InPerson = { readonly scheme: "jwt" | "signature"; readonly account: Account };

/** The account's owner, a key of the owner's, or one of the service's own parts. */
export const isOwnerOrServer = (caller: KeyCaller | InPerson, account: Account): boolean =>
  caller.account === account || (caller.scheme === "apiKey" && isServerKeyType(caller.type));
