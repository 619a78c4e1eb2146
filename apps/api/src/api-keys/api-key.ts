import type { Account } from "../accounts/index.ts";
import type { KeyType } from "./key-format.ts";

export const labels = ["agent", "arbiter", "user", "orion"] as const;
export type KeyLabel = (typeof labels)[number];

export const isKeyLabel = (text: string): text is KeyLabel => labels.some((label) => label === text);

const ownScopes = ["transactions:create:own", "transactions:approve:own", "transactions:read:own"] as const;
const anyScopes = ["transactions:create:any"] as const;

/** Returns the scopes of a key type. A server key's scopes cover every account; routes may also check the type. */
export const scopesOf = (type: KeyType): readonly string[] =>
  type === "admin" ? [...anyScopes, ...ownScopes] : type === "user" ? ownScopes : [];

export type ApiKey = {
  readonly id: string;
  readonly account: Account | null;
  readonly name: string;
  readonly type: KeyType;
  readonly label: KeyLabel;
  readonly scopes: readonly string[];
  readonly active: boolean;
  readonly prefix: string;
  readonly last4: string;
  readonly expiresAt: Date | null;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  readonly lastUsedAddress: string | null;
};
