import { sql } from "kysely";
import type { Account } from "../accounts/index.ts";
import type { Db } from "../platform/db/connect.ts";

type ChosenNonce = { readonly account: Account; readonly nonce: string; readonly expiresAt: Date };

export type SignedRequestStore = ReturnType<typeof makeSignedRequestStore>;

export function makeSignedRequestStore(db: Db) {
  return {
    /**
     * Returns true for the first caller with this nonce of this account, false for all others, however many
     * are concurrent. Each call also deletes a few expired nonces of any account, so that the table does not
     * grow with addresses that never return.
     */
    async takeNonce({ account, nonce, expiresAt }: ChosenNonce): Promise<boolean> {
      const { rows } = await sql`
        with swept as (
          delete from signed_request_nonces where ctid = any(array(
            select ctid from signed_request_nonces where expires_at <= now()
            order by expires_at limit 10 for update skip locked)))
        insert into signed_request_nonces (account, nonce, expires_at)
        values (${account}, ${nonce}, ${expiresAt})
        on conflict do nothing
        returning 1`.execute(db);
      return rows.length === 1;
    },
  };
}
