// The owner's side of a connection code. Every call needs a session.
import type { GetAuthConnectInfoResponse } from "./generated/api.ts";
import type { Http } from "./http.ts";
import type { RequestOptions } from "./options.ts";

/** A program's pending request for a key. */
export type ConnectionRequest = GetAuthConnectInfoResponse;

/** Calls to inspect and approve connection codes. They need a session. */
export type Connections = {
  /** Returns the details of the program that holds the code. `userAgent` is self-reported. */
  readonly info: (code: string, options?: RequestOptions) => Promise<ConnectionRequest>;
  /** Gives the holder of the code a key of the account. Call it only after the owner has compared the code. */
  readonly approve: (code: string, options?: RequestOptions) => Promise<void>;
};

export const makeConnections = (http: Http): Connections => ({
  info: async (code, { signal } = {}) =>
    (await http<ConnectionRequest>("/auth/connect/info", { query: { code }, signal })).body,
  approve: async (code, { signal } = {}) => {
    await http("/auth/connect/approve", { method: "POST", body: { code }, signal });
  },
});
