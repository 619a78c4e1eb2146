import type { Authenticator, Caller } from "@countersign/platform/http";
import type { Account } from "../accounts/index.ts";
import type { KeyLabel } from "./api-key.ts";
import { isWellFormedKey, type KeyType } from "./key-format.ts";
import { hmacOf, type Peppers } from "./peppers.ts";
import type { ApiKeyStore } from "./store.ts";

/** A program with an API key. It acts for the key's account, never as its owner. */
export type KeyCaller = Caller & {
  readonly scheme: "apiKey";
  readonly keyId: string;
  readonly type: KeyType;
  readonly label: KeyLabel;
  /** Null for server keys, which have no account. */
  readonly account: Account | null;
  readonly userId: string | null;
};

/** Authenticates `x-api-key`. Unknown, revoked and expired keys get the same error. */
export const makeKeyAuthenticator = ({
  store,
  peppers,
}: {
  readonly store: ApiKeyStore;
  readonly peppers: Peppers;
}): Authenticator<KeyCaller> => ({
  scheme: "apiKey",
  security: {
    type: "apiKey",
    in: "header",
    name: "x-api-key",
    description: "A key from POST /user-api-keys, or from the operator.",
  },
  challenge: 'ApiKey header="x-api-key"',
  isPresented: ({ headers }) => headers["x-api-key"] !== undefined,
  authenticate: async ({ headers, ip }) => {
    const presented = headers["x-api-key"];
    // The checksum is verified first, so a malformed key costs no database query.
    if (typeof presented !== "string" || !isWellFormedKey(presented)) return undefined;
    const found = await store.findUsable((await peppers()).map((pepper) => hmacOf(presented, pepper)));
    if (found === undefined) return undefined;
    await store.noteUse(found.id, ip);
    const { id: keyId, type, label, account, userId, scopes } = found;
    return { scheme: "apiKey", subject: keyId, scopes, keyId, type, label, account, userId };
  },
});
