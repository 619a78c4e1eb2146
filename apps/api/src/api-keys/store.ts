import { sql } from "kysely";
import type { Account } from "../accounts/index.ts";
import type { Db } from "../platform/db/connect.ts";
import type { ApiKey } from "./api-key.ts";

export type NewApiKey = Pick<
  ApiKey,
  "id" | "account" | "name" | "type" | "label" | "scopes" | "prefix" | "last4" | "expiresAt"
> & {
  readonly hmac: Buffer;
  readonly pepperId: string;
};

const columns = sql`id, account, name, type, label, scopes, active, prefix, last4,
  expires_at as "expiresAt", created_at as "createdAt", last_used_at as "lastUsedAt",
  last_used_address as "lastUsedAddress"`;

const isUsable = sql`active and (expires_at is null or expires_at > now())`;

export type ApiKeyStore = ReturnType<typeof makeApiKeyStore>;

export function makeApiKeyStore(db: Db) {
  return {
    /** Returns undefined if the account already has the maximum number of usable keys. */
    async add(key: NewApiKey, usableAtMost: number): Promise<ApiKey | undefined> {
      const { id, account, hmac, pepperId, prefix, last4, name, type, label, scopes, expiresAt } = key;
      const { rows } = await sql<ApiKey>`
        insert into api_keys (id, account, hmac, pepper_id, prefix, last4, name, type, label, scopes, expires_at)
        select ${id}, ${account}, ${hmac}, ${pepperId}, ${prefix}, ${last4}, ${name}, ${type}, ${label},
          ${[...scopes]}::text[], ${expiresAt}
        where ${account}::text is null
          or (select count(*) from api_keys where account = ${account} and ${isUsable}) < ${usableAtMost}
        returning ${columns}`.execute(db);
      return rows[0];
    },

    /** Returns true if the key was new. */
    async ensureServerKey(key: NewApiKey): Promise<boolean> {
      const { id, hmac, pepperId, prefix, last4, name, type, label, scopes } = key;
      const { rows } = await sql`
        insert into api_keys (id, hmac, pepper_id, prefix, last4, name, type, label, scopes)
        values (${id}, ${hmac}, ${pepperId}, ${prefix}, ${last4}, ${name}, ${type}, ${label}, ${[...scopes]}::text[])
        on conflict (hmac) do nothing
        returning 1`.execute(db);
      return rows.length === 1;
    },

    async list(account: Account): Promise<readonly ApiKey[]> {
      const { rows } = await sql<ApiKey>`
        select ${columns} from api_keys where account = ${account} order by created_at desc limit 1000`.execute(
        db,
      );
      return rows;
    },

    async listServerKeys(): Promise<readonly ApiKey[]> {
      const { rows } = await sql<ApiKey>`
        select ${columns} from api_keys where account is null order by created_at desc limit 1000`.execute(
        db,
      );
      return rows;
    },

    /** Returns the usable key with one of these HMACs and the id of its user. */
    async findUsable(
      hmacs: readonly Buffer[],
    ): Promise<(ApiKey & { readonly userId: string | null }) | undefined> {
      const { rows } = await sql<ApiKey & { userId: string | null }>`
        select ${columns}, (select u.id from users u where u.account = api_keys.account) as "userId"
        from api_keys where hmac = any(${[...hmacs]}) and ${isUsable}`.execute(db);
      return rows[0];
    },

    /** At most once a minute, so that a busy key does not become a hot row. */
    async noteUse(id: string, address: string): Promise<void> {
      await sql`
        update api_keys set last_used_at = now(), last_used_address = ${address}
        where id = ${id} and (last_used_at is null or last_used_at < now() - interval '1 minute')`.execute(
        db,
      );
    },

    /** Revokes a key of that account. Returns true also if it was already revoked. */
    async revoke(id: string, account: Account | null): Promise<boolean> {
      const { rows } = await sql`
        update api_keys set active = false
        where id = ${id} and account is not distinct from ${account}::text
        returning 1`.execute(db);
      return rows.length === 1;
    },
  };
}
