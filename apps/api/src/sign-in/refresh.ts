import { newId } from "@countersign/platform/ids";
import type { Log } from "@countersign/platform/log";
import { signInErrors } from "./errors.ts";
import type { SignInStore } from "./store.ts";
import type { Tokens } from "./tokens.ts";

/** Clients that race with themselves show the same token twice within moments; a thief shows it later. */
const graceSeconds = 60;

type Parts = { readonly store: SignInStore; readonly tokens: Tokens; readonly log: Log };

/** The next pair for a refresh token. Never two for the same one. */
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
      log.warn("a used refresh token was shown again; its session is ended", {
        address: subject.account,
        key: subject.sessionId,
      });
    if (outcome !== "rotated") throw signInErrors.refreshRefused();
    return { accessToken: await tokens.mintAccess(subject), refreshToken: next.token };
  };
