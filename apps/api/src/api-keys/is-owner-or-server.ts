import type { Account } from "../accounts/index.ts";
import type { KeyCaller } from "./authenticate.ts";
import { isServerKeyType } from "./server-keys.ts";

type InPerson = { readonly scheme: "jwt" | "signature"; readonly account: Account };

/** True for the account's owner, the owner's API keys and server keys. */
export const isOwnerOrServer = (caller: KeyCaller | InPerson, account: Account): boolean =>
  caller.account === account || (caller.scheme === "apiKey" && isServerKeyType(caller.type));
