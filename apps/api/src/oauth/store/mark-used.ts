import { sql, type RawBuilder } from "kysely";

/**
 * Part of a statement: records that a client is in use, so that it is not deleted. At most once a minute,
 * because many installations of one program may share a row.
 */
export const markUsed = (clientId: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  update oauth_clients set last_used_at = now()
  where id = (${clientId}) and (last_used_at is null or last_used_at < now() - interval '1 minute')`;
