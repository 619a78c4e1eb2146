import { createHash } from "node:crypto";
import type { Clock } from "@countersign/platform/clock";
import type { Caller, MainService } from "./adapters/main-service.ts";
import { expiryOf, type TokenPair } from "./tokens.ts";

export type Session =
  | { readonly kind: "none" }
  | { readonly kind: "refused" }
  | { readonly kind: "good"; readonly pair: TokenPair; readonly isNew: boolean };

export type Sessions = {
  /** Returns a valid access token, renewing it if needed. Throws if the main service is unreachable. */
  readonly open: (shown: Partial<TokenPair>, caller: Caller) => Promise<Session>;
  /** Forces a renewal. */
  readonly renew: (shown: Partial<TokenPair>, caller: Caller) => Promise<Session>;
};

/** Margin for tokens that would expire in transit. */
const leastLifeMs = 15_000;

/** How long the main service accepts a used refresh token. Concurrent calls of a page may still carry the old cookies. */
const rememberMs = 60_000;

type Renewal = { readonly outcome: Promise<TokenPair | undefined>; readonly at: number };

export function makeSessions({
  mainService,
  clock,
}: {
  readonly mainService: Pick<MainService, "refresh">;
  readonly clock: Clock;
}): Sessions {
  const renewals = new Map<string, Renewal>();
  const now = (): number => clock.now().getTime();

  const forgetOld = (): void => {
    for (const [key, { at }] of renewals) {
      // In the order in which they were made.
      if (now() - at < rememberMs) return;
      renewals.delete(key);
    }
  };

  /** One renewal per refresh token, shared by all waiting calls. */
  const renewalOf = (refreshToken: string, caller: Caller): Promise<TokenPair | undefined> => {
    forgetOld();
    const key = createHash("sha256").update(refreshToken).digest("base64");
    const known = renewals.get(key);
    if (known !== undefined) return known.outcome;
    const outcome = mainService.refresh(refreshToken, caller);
    renewals.set(key, { outcome, at: now() });
    // A missing answer is not cached: the next call retries.
    outcome.catch(() => renewals.delete(key));
    return outcome;
  };

  const renew: Sessions["renew"] = async ({ accessToken, refreshToken }, caller) => {
    if (refreshToken === undefined || refreshToken === "")
      return { kind: accessToken === undefined ? "none" : "refused" };
    const pair = await renewalOf(refreshToken, caller);
    return pair === undefined ? { kind: "refused" } : { kind: "good", pair, isNew: true };
  };

  return {
    renew,
    open: async (shown, caller) => {
      const { accessToken, refreshToken } = shown;
      const isFresh = accessToken !== undefined && (expiryOf(accessToken) ?? 0) - now() > leastLifeMs;
      return isFresh && refreshToken !== undefined
        ? { kind: "good", pair: { accessToken, refreshToken }, isNew: false }
        : renew(shown, caller);
    },
  };
}
