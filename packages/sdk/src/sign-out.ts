// The end of a session.
import type { Credential } from "./credential.ts";
import { AuthenticationError, CountersignError } from "./errors.ts";
import type { Http } from "./http.ts";
import type { RequestOptions } from "./options.ts";

export type SignOut = {
  /** Ends the session that this was made with, if it has not ended. */
  readonly logout: (options?: RequestOptions) => Promise<void>;
  /** Ends all sessions on all devices, and the access of every program that was let in through OAuth. API keys stay. */
  readonly logoutEverywhere: (options?: RequestOptions) => Promise<void>;
};

export const makeSignOut = (http: Http, credential: Credential | undefined): SignOut => {
  const post = async (path: string, { signal }: RequestOptions, body?: object): Promise<void> => {
    // What has ended is ended: to ask a second time changes nothing.
    await http(path, { method: "POST", isRepeatable: true, signal, ...(body === undefined ? {} : { body }) });
  };
  return {
    logout: async (options = {}) => {
      if (credential?.kind !== "session")
        throw new CountersignError("There is no session to end: an API key is revoked instead");
      try {
        // What has run out is renewed here, and not by the next request: that would give back a token of before.
        await http("/auth/me", { signal: options.signal });
        const { refreshToken } = await credential.session();
        await post("/auth/logout", options, { refreshToken });
      } catch (error) {
        // It is over already.
        if (!(error instanceof AuthenticationError)) throw error;
      }
    },
    logoutEverywhere: (options = {}) => post("/auth/logout-all", options),
  };
};
