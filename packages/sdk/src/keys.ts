// The keys that a person gives to programs of theirs. All but `self` takes a session.
import type { GetUserApiKeysSelfResponse, ListedApiKey, PostUserApiKeysResponse } from "./generated/api.ts";
import type { Http } from "./http.ts";
import type { RequestOptions } from "./options.ts";

export type Keys = {
  /** The secret is in this answer and nowhere else, ever again. */
  readonly create: (
    key: { readonly name: string; readonly expiresAt?: Date },
    options?: RequestOptions,
  ) => Promise<PostUserApiKeysResponse>;
  readonly list: (options?: RequestOptions) => Promise<readonly ListedApiKey[]>;
  readonly revoke: (id: string, options?: RequestOptions) => Promise<void>;
  /** What the key is that the request is made with. It takes that key, and no session. */
  readonly self: (options?: RequestOptions) => Promise<GetUserApiKeysSelfResponse>;
};

export const makeKeys = (http: Http): Keys => ({
  // Not repeatable: the answer holds a secret, and the service does not keep it to say it again.
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
