import { sql } from "kysely";
import type { Account } from "../accounts/index.ts";
import type { Db } from "../platform/db/connect.ts";
import type { Quorum, QuorumType } from "./quorum.ts";

const columns = sql`account, type, display_name as "displayName", quorum_id as "quorumId", threshold,
  p256_public_keys as "p256PublicKeys", is_static as "isStatic", note`;

export type QuorumStore = ReturnType<typeof makeQuorumStore>;

export function makeQuorumStore(db: Db) {
  return {
    async find(account: Account, type: QuorumType): Promise<Quorum | undefined> {
      const { rows } = await sql<Quorum>`
        select ${columns} from provider_quorums where account = ${account} and type = ${type}`.execute(db);
      return rows[0];
    },

    async hasAny(account: Account): Promise<boolean> {
      const { rows } = await sql`
        select 1 from provider_quorums where account = ${account} limit 1`.execute(db);
      return rows.length > 0;
    },

    /** Returns the provider's id of our own key's quorum if any account has it. All accounts share one. */
    async findStaticId(publicKey: string, exceptId: string): Promise<string | undefined> {
      const { rows } = await sql<{ readonly id: string }>`
        select quorum_id as id from provider_quorums
        where is_static and p256_public_keys = array[${publicKey}] and quorum_id <> ${exceptId}
        order by created_at limit 1`.execute(db);
      return rows[0]?.id;
    },

    /** Stores the quorum, replacing the previous one. */
    async put(quorum: Quorum): Promise<void> {
      const { account, type, displayName, quorumId, threshold, p256PublicKeys, isStatic, note } = quorum;
      await sql`
        insert into provider_quorums
          (account, type, display_name, quorum_id, threshold, p256_public_keys, is_static, note)
        values (${account}, ${type}, ${displayName}, ${quorumId}, ${threshold}, ${[...p256PublicKeys]}::text[],
          ${isStatic}, ${note})
        on conflict (account, type) do update
          set display_name = excluded.display_name, quorum_id = excluded.quorum_id,
            threshold = excluded.threshold, p256_public_keys = excluded.p256_public_keys,
            is_static = excluded.is_static, note = excluded.note, updated_at = now()`.execute(db);
    },

    /** Deletes exactly this quorum, not one that has replaced it in the meantime. */
    async remove({ account, type, quorumId }: Quorum): Promise<boolean> {
      const { rows } = await sql`
        delete from provider_quorums
        where account = ${account} and type = ${type} and quorum_id = ${quorumId} returning 1`.execute(db);
      return rows.length === 1;
    },
  };
}
