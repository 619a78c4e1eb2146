// Credentials of a request.
import { AuthenticationError, CountersignError } from "./errors.ts";
import type { TokenPair } from "./generated/api.ts";

type Proof = {
  readonly headers: () => Promise<Readonly<Record<string, string>>>;
  /** Called after a 401 for these headers. Returns true if there are new ones and a retry makes sense. */
  readonly renew: (refused: Headers) => Promise<boolean>;
};

/** The tokens of a signed-in owner. The access token is valid for 15 minutes, the refresh token once. */
export type Session = TokenPair;

export type SessionCredential = Proof & {
  readonly kind: "session";
  readonly session: () => Promise<Session>;
};
export type Credential = (Proof & { readonly kind: "apiKey" }) | SessionCredential;

export function apiKeyCredential(apiKey: string): Credential {
  if (!/^[!-~]+$/.test(apiKey))
    throw new CountersignError(
      "Invalid API key: it is empty or contains whitespace or other invalid characters",
    );
  return { kind: "apiKey", headers: async () => ({ "x-api-key": apiKey }), renew: async () => false };
}

type SessionOptions = {
  readonly session: Session;
  /** Exchanges the refresh token for the next pair. Rejects if the service refuses. */
  readonly refresh: (refreshToken: string) => Promise<Session>;
  readonly onSession?: (session: Session) => void | Promise<void>;
};

const headersOf = ({ accessToken }: Session) => ({ authorization: `Bearer ${accessToken}` });

/** A refresh token is valid once, so concurrent requests that get a 401 share one refresh. */
export function sessionCredential({ session, refresh, onSession }: SessionOptions): SessionCredential {
  let current = session;
  let renewing: Promise<boolean> | undefined;
  const renewOnce = async (): Promise<boolean> => {
    try {
      const { accessToken, refreshToken } = await refresh(current.refreshToken);
      current = { accessToken, refreshToken };
    } catch (error) {
      // If the session has ended, the original 401 reports it. Other errors, such as a lost connection, are thrown.
      if (error instanceof AuthenticationError) return false;
      throw error;
    }
    await onSession?.(current);
    return true;
  };
  /** Waits for a refresh in progress. Its error is reported to the request that started it. */
  const settled = async (): Promise<Session> => {
    await renewing?.catch(() => undefined);
    return current;
  };
  return {
    kind: "session",
    session: settled,
    headers: async () => headersOf(await settled()),
    renew: async (refused) => {
      // A concurrent request has already refreshed the session.
      if (refused.get("authorization") !== headersOf(current).authorization) return true;
      renewing ??= renewOnce().finally(() => {
        renewing = undefined;
      });
      return renewing;
    },
  };
}
