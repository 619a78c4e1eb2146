import { isServerKeyType } from "../api-keys/index.ts";
import { mcpErrors } from "./errors.ts";
import type { Principal } from "./principal.ts";

/** Returns the account that a caller acts for. Rejects server keys, which have no account. */
export function findPrincipal(caller: Principal["caller"]): Principal {
  if (caller.scheme === "oauth")
    return { caller, account: caller.account, client: `oauth:${caller.clientId}` };
  if (caller.account === null || isServerKeyType(caller.type)) throw mcpErrors.serverKey();
  return { caller, account: caller.account, client: `key:${caller.keyId}` };
}
