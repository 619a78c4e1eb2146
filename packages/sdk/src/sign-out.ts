// Ends sessions.
import type { Credential } from "./credential.ts";
import { AuthenticationError, CountersignError } from "./errors.ts";
import type { Http } from "./http.ts";
import type { RequestOptions } from "./options.ts";

/** Calls that end sessions. */
export type SignOut = {
  /** Ends the client's session. Does nothing if it has already ended. Throws a CountersignError for an API key. */
  readonly logout: (options?: RequestOptions) => Promise<void>;
  /** Ends all sessions on all devices and the access of all OAuth clients. API keys stay valid. */
  readonly logoutEverywhere: (options?: RequestOptions) => Promise<void>;
};

export const makeSignOut = (http: Http, credential: Credential | undefined): SignOut => {
  const post = async (path: string, { signal }: RequestOptions, body?: object): Promise<void> => {
    // Ending a session twice has no further effect.
    await http(path, { method: "POST", isRepeatable: true, signal, ...(body === undefined ? {} : { body }) });
  };
  return {
    logout: async (options = {}) => {
      if (credential?.kind !== "session")
        throw new CountersignError("No session to end. Revoke an API key instead");
      try {
        // Refresh an expired session first; otherwise the logout request would send an outdated refresh token.
        await http("/auth/me", { signal: options.signal });
        const { refreshToken } = await credential.session();
        await post("/auth/logout", options, { refreshToken });
      } catch (error) {
        // The session has already ended.
        if (!(error instanceof AuthenticationError)) throw error;
      }
    },
    logoutEverywhere: (options = {}) => post("/auth/logout-all", options),
  };
};
