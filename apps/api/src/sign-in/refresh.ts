import { newId } from "@countersign/platform/ids";
import type { Log } from "@countersign/platform/log";
import { signInErrors } from "./errors.ts";
import type { SignInStore } from "./store.ts";
import type { Tokens } from "./tokens.ts";

/** A client that races with itself sends the same token twice within moments; a thief sends it later. */
const graceSeconds = 60;

type Parts = { readonly store: SignInStore; readonly tokens: Tokens; readonly log: Log };

/** Exchanges a refresh token for the next pair. Each token works once. */
export const makeRefresh = ({ store, tokens, log }: Parts) =>
  async function refresh(
    refreshToken: string,
    address: string,
  ): Promise<{ readonly accessToken: string; readonly refreshToken: string }> {
    const claims = await tokens.readRefresh(refreshToken);
    if (claims === undefined) throw signInErrors.refreshRefused();
    const { tokenId, ...subject } = claims;
    const nextId = newId();
    const next = await tokens.mintRefresh({ ...subject, tokenId: nextId });
    const outcome = await store.rotateRefreshToken({
      id: tokenId,
      nextId,
      nextExpiresAt: next.expiresAt,
      graceSeconds,
      address,
    });
    if (outcome === "reused")
      log.warn("used refresh token presented again, session ended", {
        address: subject.account,
        key: subject.sessionId,
      });
    if (outcome !== "rotated") throw signInErrors.refreshRefused();
    return { accessToken: await tokens.mintAccess(subject), refreshToken: next.token };
  };
