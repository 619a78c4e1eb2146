// What a request is authenticated with.
import { AuthenticationError, CountersignError } from "./errors.ts";
import type { TokenPair } from "./generated/api.ts";

type Proof = {
  readonly headers: () => Promise<Readonly<Record<string, string>>>;
  /** After a 401 to these headers: true if there are others now, and it is worth another try. */
  readonly renew: (refused: Headers) => Promise<boolean>;
};

export type Session = TokenPair;

export type SessionCredential = Proof & {
  readonly kind: "session";
  readonly session: () => Promise<Session>;
};
export type Credential = (Proof & { readonly kind: "apiKey" }) | SessionCredential;

export function apiKeyCredential(apiKey: string): Credential {
  if (!/^[!-~]+$/.test(apiKey))
    throw new CountersignError(
      "This is no API key: it is empty, or holds a blank, an end of line or another character that no key has",
    );
  return { kind: "apiKey", headers: async () => ({ "x-api-key": apiKey }), renew: async () => false };
}

type SessionOptions = {
  readonly session: Session;
  /** The next pair, for the refresh token. Rejects if there is none to be had. */
  readonly refresh: (refreshToken: string) => Promise<Session>;
  readonly onSession?: (session: Session) => void | Promise<void>;
};

const headersOf = ({ accessToken }: Session) => ({ authorization: `Bearer ${accessToken}` });

/** A refresh token is good once, so requests that are refused at the same time wait for one renewal. */
export function sessionCredential({ session, refresh, onSession }: SessionOptions): SessionCredential {
  let current = session;
  let renewing: Promise<boolean> | undefined;
  const renewOnce = async (): Promise<boolean> => {
    try {
      const { accessToken, refreshToken } = await refresh(current.refreshToken);
      current = { accessToken, refreshToken };
    } catch (error) {
      // The session is over: the answer that was refused says so. That nobody could be asked is said as it is.
      if (error instanceof AuthenticationError) return false;
      throw error;
    }
    await onSession?.(current);
    return true;
  };
  /** As it will be once it is renewed. That it could not be is for those to hear who asked for it. */
  const settled = async (): Promise<Session> => {
    await renewing?.catch(() => undefined);
    return current;
  };
  return {
    kind: "session",
    session: settled,
    headers: async () => headersOf(await settled()),
    renew: async (refused) => {
      // Somebody else's refusal came first, and it is renewed since.
      if (refused.get("authorization") !== headersOf(current).authorization) return true;
      renewing ??= renewOnce().finally(() => {
        renewing = undefined;
      });
      return renewing;
    },
  };
}
