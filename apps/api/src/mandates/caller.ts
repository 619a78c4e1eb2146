import type { Account } from "../accounts/index.ts";
import type { KeyCaller } from "../api-keys/index.ts";
import type { JwtCaller } from "../sign-in/index.ts";
import type { SignatureCaller } from "../signed-requests/index.ts";
import { mandateErrors } from "./errors.ts";

/** The owner in person, or one of the owner's keys. */
export type Caller = JwtCaller | SignatureCaller | KeyCaller;

/** Whose mandates a caller sees: the owner all of the account's, an agent only its own. */
export type Scope = { readonly account: Account; readonly agent: string | undefined };

/** Throws for server keys, which belong to no account. */
export function scopeOf(caller: Caller): Scope {
  if (caller.scheme !== "apiKey") return { account: caller.account, agent: undefined };
  if (caller.account === null) throw mandateErrors.noAccount();
  return { account: caller.account, agent: `key:${caller.keyId}` };
}
