// The checks of codes and refresh tokens at the token endpoint, in order. A mistake that the client can correct is
// thrown and changes nothing; an outcome that must be recorded is returned.
import { answersS256 } from "../platform/sha256.ts";
import { oauthErrors } from "./errors.ts";
import { isCodeVerifier } from "./pkce.ts";
import { narrowScopes, type Scope } from "./scopes.ts";
import type { CodeVerdict, HeldCode } from "./store/codes.ts";
import type { HeldRefreshToken, RefreshVerdict } from "./store/refresh-tokens.ts";

/** This many wrong verifiers end a code: the holder does not have the verifier and must not keep guessing. */
const wrongVerifiersAtMost = 3;

type Resource = { readonly checkResource: () => void };

type CodeShown = Resource & {
  readonly redirectUri: string | undefined;
  readonly codeVerifier: string | undefined;
};

/** A code is valid once, for its client, its redirect URI and the verifier of its challenge. */
export function checkCode(
  code: Pick<HeldCode, "isUsed" | "isExpired" | "isOver" | "failures" | "redirectUri" | "codeChallenge">,
  { redirectUri, codeVerifier, checkResource }: CodeShown,
): CodeVerdict {
  if (code.isUsed) return "replayed";
  if (code.isExpired || code.isOver || code.failures >= wrongVerifiersAtMost)
    throw oauthErrors.invalidGrant();
  checkResource();
  // OAuth 2.1 no longer sends it. If it is sent, it must match.
  if (redirectUri !== undefined && redirectUri !== code.redirectUri)
    throw oauthErrors.invalidGrant({
      message: "redirect_uri differs from the one in the authorization request",
    });
  if (!isCodeVerifier(codeVerifier))
    throw oauthErrors.invalidGrant({ message: "code_verifier is missing or malformed" });
  return answersS256(code.codeChallenge, codeVerifier) ? "redeem" : "wrong-verifier";
}

/** The policy for a refresh token presented again within the grace period: reject it, or answer once more. */
type RefreshReuse = "reject" | "replay";

export type RefreshPolicy = { readonly reuse: RefreshReuse; readonly graceSeconds: number };

type RefreshShown = Resource & { readonly scope: string | undefined };

/** Returns the scopes of the next access token. */
export function chooseGranted(granted: readonly Scope[], asked: string | undefined): readonly Scope[] {
  const scopes = narrowScopes(granted, asked);
  if (scopes === undefined) throw oauthErrors.invalidScope();
  return scopes;
}

/**
 * A refresh token works once. A client that races with itself sends the same one twice within moments and
 * loses only that answer; later it was stolen, and the whole family ends.
 */
export function checkRefresh(
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
