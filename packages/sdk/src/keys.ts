// API keys that an owner creates for programs. All calls except `self` need a session.
import type { GetUserApiKeysSelfResponse, ListedApiKey, PostUserApiKeysResponse } from "./generated/api.ts";
import type { Http } from "./http.ts";
import type { RequestOptions } from "./options.ts";

/** Calls to manage API keys. */
export type Keys = {
  /** Creates a key. The secret is returned once and cannot be retrieved later. */
  readonly create: (
    key: { readonly name: string; readonly expiresAt?: Date },
    options?: RequestOptions,
  ) => Promise<PostUserApiKeysResponse>;
  /** Lists the account's keys, without their secrets. */
  readonly list: (options?: RequestOptions) => Promise<readonly ListedApiKey[]>;
  /** Revokes a key. */
  readonly revoke: (id: string, options?: RequestOptions) => Promise<void>;
  /** Returns the key that the client uses. Needs a key, not a session. */
  readonly self: (options?: RequestOptions) => Promise<GetUserApiKeysSelfResponse>;
};

export const makeKeys = (http: Http): Keys => ({
  // Not repeatable: the response contains a secret that the service does not store.
  create: async ({ name, expiresAt }, { signal } = {}) =>
    (
      await http<PostUserApiKeysResponse>("/user-api-keys", {
        ...{ method: "POST", signal },
        body: { name, ...(expiresAt === undefined ? {} : { expiresAt: expiresAt.toISOString() }) },
      })
    ).body,
  list: async ({ signal } = {}) => (await http<readonly ListedApiKey[]>("/user-api-keys", { signal })).body,
  revoke: async (id, { signal } = {}) => {
    await http(`/user-api-keys/${encodeURIComponent(id)}`, { method: "DELETE", signal });
  },
  self: async ({ signal } = {}) =>
    (await http<GetUserApiKeysSelfResponse>("/user-api-keys/self", { signal })).body,
});
