// The rules of what is shown at the token endpoint, in the order in which they hold. What a client can mend and try again is
// thrown, and then nothing has happened; what must leave a trace in the record is returned.
import { answersS256 } from "../platform/sha256.ts";
import { oauthErrors } from "./errors.ts";
import { isCodeVerifier } from "./pkce.ts";
import { narrowScopes, type Scope } from "./scopes.ts";
import type { CodeVerdict, HeldCode } from "./store/codes.ts";
import type { HeldRefreshToken, RefreshVerdict } from "./store/refresh-tokens.ts";

/** So many wrong verifiers end a code: whoever has it does not have the verifier, and must not go on guessing. */
const wrongVerifiersAtMost = 3;

type Resource = { readonly checkResource: () => void };

type CodeShown = Resource & {
  readonly redirectUri: string | undefined;
  readonly codeVerifier: string | undefined;
};

/** A code is good once, for its client, its address and the verifier of its challenge. */
export function judgeCode(
  code: Pick<HeldCode, "isUsed" | "isExpired" | "isOver" | "failures" | "redirectUri" | "codeChallenge">,
  { redirectUri, codeVerifier, checkResource }: CodeShown,
): CodeVerdict {
  if (code.isUsed) return "replayed";
  if (code.isExpired || code.isOver || code.failures >= wrongVerifiersAtMost)
    throw oauthErrors.invalidGrant();
  checkResource();
  // OAuth 2.1 does not have it sent any more; if it is, it must be the one.
  if (redirectUri !== undefined && redirectUri !== code.redirectUri)
    throw oauthErrors.invalidGrant({ message: "redirect_uri is not the one the code was asked for with" });
  if (!isCodeVerifier(codeVerifier))
    throw oauthErrors.invalidGrant({ message: "code_verifier is missing or malformed" });
  return answersS256(code.codeChallenge, codeVerifier) ? "redeem" : "wrong-verifier";
}

/** What is done with a refresh token that comes again within the grace: refused, or answered once more. */
type RefreshReuse = "reject" | "replay";

export type RefreshPolicy = { readonly reuse: RefreshReuse; readonly graceSeconds: number };

type RefreshShown = Resource & { readonly scope: string | undefined };

/** What of the grant the next access token is for. */
export function chooseGranted(granted: readonly Scope[], asked: string | undefined): readonly Scope[] {
  const scopes = narrowScopes(granted, asked);
  if (scopes === undefined) throw oauthErrors.invalidScope();
  return scopes;
}

/**
 * A refresh token is good once. Clients that race with themselves show the same one twice within moments and lose nothing but
 * that answer; shown again later it was stolen, and the whole family ends.
 */
export function judgeRefresh(
  token: Pick<HeldRefreshToken, "isExpired" | "isOver" | "usedSecondsAgo" | "scopes">,
  { scope, checkResource }: RefreshShown,
  { reuse, graceSeconds }: RefreshPolicy,
): RefreshVerdict {
  if (token.isOver) throw oauthErrors.invalidGrant();
  const isUsed = token.usedSecondsAgo !== null;
  if (isUsed && token.usedSecondsAgo >= graceSeconds) return "reused";
  if (token.isExpired || (isUsed && reuse === "reject")) throw oauthErrors.invalidGrant();
  checkResource();
  chooseGranted(token.scopes, scope);
  return "rotate";
}
