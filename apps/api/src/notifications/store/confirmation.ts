// The codes that confirm e-mail addresses.
import { sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import type { ChannelKey } from "../channel.ts";

const attemptsAtMost = 5;
/** Valid codes of one address at a time, over all accounts, so that no one floods a stranger's mailbox. */
const codesAtMost = 3;

export type ConfirmationStore = ReturnType<typeof makeConfirmationStore>;

export function makeConfirmationStore(db: Db) {
  return {
    /** Stores a code for an hour. Returns false if the address was sent too many codes within the last hour. */
    setCode: ({ id, account }: ChannelKey, target: string, hash: Buffer): Promise<boolean> =>
      db.transaction().execute(async (tx) => {
        // Serialises requests about one address, so that the count holds.
        await sql`select pg_advisory_xact_lock(hashtextextended('mail-code:' || lower(${target}), 0))`.execute(
          tx,
        );
        const { rows } = await sql`
          update notification_channels c set code_hash = ${hash}, code_until = now() + interval '1 hour',
            code_attempts = 0
          where c.id = ${id} and c.account = ${account} and c.confirmed_at is null
            and (c.code_until is null or c.code_until < now() + interval '59 minutes')
            and (select count(*) from notification_channels o
                 where o.kind = 'email' and lower(o.target) = lower(${target}) and o.code_until > now()
                   and o.id <> c.id) < ${codesAtMost}
          returning 1`.execute(tx);
        return rows.length > 0;
      }),

    /** Compares a code, at most five times. The right one confirms the channel. */
    async tryCode({ id, account }: ChannelKey, hash: Buffer): Promise<"confirmed" | "expired" | "wrong"> {
      const { rows } = await sql<{ isValid: boolean; isRight: boolean }>`
        update notification_channels c set code_attempts = c.code_attempts + 1,
          confirmed_at = case when old.is_valid and old.is_right then now() end,
          code_hash = case when old.is_valid and old.is_right then null else c.code_hash end,
          code_until = case when old.is_valid and old.is_right then null else c.code_until end
        from (select id, coalesce(code_until > now() and code_attempts < ${attemptsAtMost}, false) as is_valid,
                coalesce(code_hash = ${hash}, false) as is_right
              from notification_channels
              where id = ${id} and account = ${account} and confirmed_at is null for update) old
        where c.id = old.id
        returning old.is_valid as "isValid", old.is_right as "isRight"`.execute(db);
      const [outcome] = rows;
      if (outcome?.isValid !== true) return "expired";
      return outcome.isRight ? "confirmed" : "wrong";
    },
  };
}
