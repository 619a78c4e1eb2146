import { createHash, timingSafeEqual } from "node:crypto";
import type { Authenticator } from "@countersign/platform/http";

const digestOf = (text: string): Buffer => createHash("sha256").update(text).digest();

/**
 * Authenticates the main service's nudges. Hashes are compared, so that neither duration nor length reveals
 * anything. Without a configured token every nudge is rejected.
 */
export function makeNudgeAuthenticator(token: string | undefined): Authenticator {
  const expected = token === undefined ? undefined : digestOf(`Bearer ${token}`);
  return {
    scheme: "nudgeToken",
    security: { type: "http", scheme: "bearer", description: "The token of the main service's nudges." },
    challenge: "Bearer",
    isPresented: ({ headers }) => headers["authorization"] !== undefined,
    authenticate: async ({ headers }) => {
      const given = headers["authorization"];
      if (expected === undefined || typeof given !== "string") return undefined;
      if (!timingSafeEqual(expected, digestOf(given.replace(/^bearer /i, "Bearer ")))) return undefined;
      return { scheme: "nudgeToken", subject: "main service", scopes: [] };
    },
  };
}
