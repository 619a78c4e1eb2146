import { sql } from "kysely";
import type { Account } from "../../accounts/index.ts";
import type { Db } from "../../platform/db/connect.ts";
import type { Channel, ChannelKey, ChannelKind } from "../channel.ts";
import type { ChosenPreferences } from "../schedule.ts";

const columns = sql`c.id, c.account, c.kind, c.target, c.description, c.types, c.agents, c.active,
  c.disabled_reason as "disabledReason", c.previous_until as "previousUntil", c.confirmed_at as "confirmedAt",
  c.quiet_from as "quietFrom", c.quiet_until as "quietUntil", c.time_zone as "timeZone", c.digest,
  c.created_at as "createdAt", c.failures,
  c.failing_since as "failingSince", c.due_at as "dueAt", c.last_delivered_at as "lastDeliveredAt",
  c.last_failed_at as "lastFailedAt", c.last_error as "lastError"`;

export type NewChannel = Pick<
  Channel,
  "id" | "account" | "kind" | "target" | "description" | "types" | "agents"
> &
  ChosenPreferences & { readonly secretId: string | null; readonly isConfirmed: boolean };

/** The members that an owner changes. Undefined: as before. */
export type ChannelChange = ChosenPreferences & {
  readonly [Name in "target" | "description" | "types" | "agents" | "active"]?: Channel[Name] | undefined;
};

/** The secrets of a channel, the current one first. Null: it has none. */
type SecretIds = { readonly secretId: string | null; readonly previousSecretId: string | null };

export type ChannelStore = ReturnType<typeof makeChannelStore>;

/** A store of the channels of some kinds. Channels of other kinds are not found in it. */
export function makeChannelStore(db: Db, kinds: readonly ChannelKind[]) {
  const isOurs = sql`c.kind = any(${[...kinds]})`;
  return {
    /** Returns undefined if the account has the maximum number of channels of these kinds. */
    add: (made: NewChannel, atMost: number): Promise<Channel | undefined> =>
      db.transaction().execute(async (tx) => {
        // Serialises concurrent requests of one account, so that the count holds.
        await sql`select 1 from users where account = ${made.account} for no key update`.execute(tx);
        const { rows } = await sql<Channel>`
          insert into notification_channels as c (id, account, kind, target, description, types, agents, secret_id,
            confirmed_at, quiet_from, quiet_until, time_zone, digest)
          select ${made.id}, ${made.account}, ${made.kind}, ${made.target}, ${made.description}, ${[...made.types]},
            ${[...made.agents]}, ${made.secretId}, case when ${made.isConfirmed} then now() end,
            ${made.quietFrom ?? null}::smallint, ${made.quietUntil ?? null}::smallint, ${made.timeZone ?? "UTC"}, ${made.digest ?? null}
          where (select count(*) from notification_channels c
                 where c.account = ${made.account} and ${isOurs}) < ${atMost}
          returning ${columns}`.execute(tx);
        return rows[0];
      }),

    async list(account: Account): Promise<readonly Channel[]> {
      const { rows } = await sql<Channel>`
        select ${columns} from notification_channels c where c.account = ${account} and ${isOurs}
        order by c.created_at, c.id`.execute(db);
      return rows;
    },

    async find({ id, account }: ChannelKey): Promise<Channel | undefined> {
      const { rows } = await sql<Channel>`
        select ${columns} from notification_channels c
        where c.id = ${id} and c.account = ${account} and ${isOurs}`.execute(db);
      return rows[0];
    },

    /** Changes a channel and ends the pause after a failure, because the owner may have fixed it. */
    async change(
      { id, account }: ChannelKey,
      { target, description, types, agents, active, ...chosen }: ChannelChange,
    ): Promise<Channel | undefined> {
      const { rows } = await sql<Channel>`
        update notification_channels c set
          target = coalesce(${target ?? null}, c.target),
          description = coalesce(${description ?? null}, c.description),
          types = coalesce(${types === undefined ? null : [...types]}, c.types),
          agents = coalesce(${agents === undefined ? null : [...agents]}, c.agents),
          active = coalesce(${active ?? null}, c.active),
          quiet_from = case when ${chosen.quietFrom === undefined} then c.quiet_from else ${chosen.quietFrom ?? null} end,
          quiet_until = case when ${chosen.quietUntil === undefined} then c.quiet_until
                        else ${chosen.quietUntil ?? null} end,
          time_zone = coalesce(${chosen.timeZone ?? null}, c.time_zone),
          digest = case when ${chosen.digest === undefined} then c.digest else ${chosen.digest ?? null} end,
          disabled_reason = case when ${active === true} then null else c.disabled_reason end,
          failures = 0, failing_since = null, due_at = least(c.due_at, now())
        where c.id = ${id} and c.account = ${account} and ${isOurs}
        returning ${columns}`.execute(db);
      return rows[0];
    },

    /** Makes messages be signed with a new secret, and with the previous one until then. Returns the one before that. */
    async rotate(
      { id, account }: ChannelKey,
      { secretId, graceSeconds }: { readonly secretId: string; readonly graceSeconds: number },
    ): Promise<{ readonly channel: Channel; readonly retiredId: string | null } | undefined> {
      const { rows } = await sql<Channel & { retiredId: string | null }>`
        update notification_channels c set secret_id = ${secretId}, previous_secret_id = old.secret_id,
          previous_until = now() + make_interval(secs => ${graceSeconds})
        from (select c.id, c.secret_id, c.previous_secret_id from notification_channels c
              where c.id = ${id} and c.account = ${account} and ${isOurs} for update) old
        where c.id = old.id
        returning ${columns}, old.previous_secret_id as "retiredId"`.execute(db);
      const [row] = rows;
      if (row === undefined) return undefined;
      const { retiredId, ...channel } = row;
      return { channel, retiredId };
    },

    async readSecretIds(id: string): Promise<SecretIds | undefined> {
      const { rows } = await sql<SecretIds>`
        select secret_id as "secretId",
          case when previous_until > now() then previous_secret_id end as "previousSecretId"
        from notification_channels where id = ${id}`.execute(db);
      return rows[0];
    },

    /** Deletes a channel with its messages. Returns the secrets that it leaves behind. */
    async remove({ id, account }: ChannelKey): Promise<readonly string[] | undefined> {
      const { rows } = await sql<{ ids: string[] }>`
        delete from notification_channels c where c.id = ${id} and c.account = ${account} and ${isOurs}
        returning array_remove(array[c.secret_id, c.previous_secret_id], null)::text[] as ids`.execute(db);
      return rows[0]?.ids;
    },

    /** Ends the pause after a failure. */
    async resume(id: string): Promise<void> {
      await sql`
        update notification_channels set failures = 0, failing_since = null, due_at = least(due_at, now())
        where id = ${id}`.execute(db);
    },
  };
}
