// The owner's side of a connection code: who asks, and yes. All of it takes a session.
import type { GetAuthConnectInfoResponse } from "./generated/api.ts";
import type { Http } from "./http.ts";
import type { RequestOptions } from "./options.ts";

export type ConnectionRequest = GetAuthConnectInfoResponse;

export type Connections = {
  /** What is known of whoever holds the code. Their `userAgent` is their own claim. */
  readonly info: (code: string, options?: RequestOptions) => Promise<ConnectionRequest>;
  /** Whoever holds the code then gets a key of the account: only after its owner has compared the code. */
  readonly approve: (code: string, options?: RequestOptions) => Promise<void>;
};

export const makeConnections = (http: Http): Connections => ({
  info: async (code, { signal } = {}) =>
    (await http<ConnectionRequest>("/auth/connect/info", { query: { code }, signal })).body,
  approve: async (code, { signal } = {}) => {
    await http("/auth/connect/approve", { method: "POST", body: { code }, signal });
  },
});
