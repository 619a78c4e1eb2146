// Encrypted payloads. One that was encrypted with its proposal is in a table of its own: nothing changes it, while the row of the
// transaction is written again with each change. One that was encrypted later, or by an earlier version, is in that row.
import { sql, type RawBuilder } from "kysely";
import type { NewTransaction } from "../transaction.ts";

/** Returns a further part of the statement that inserts a transaction as `t`. */
export const insertEnvelope = (envelope: NewTransaction["envelope"]): RawBuilder<unknown> =>
  envelope === null
    ? sql``
    : sql`, sealed as (
        insert into envelopes (transaction_id, account, content) select id, account, ${envelope.bytes} from t)`;

/** The payload of the transaction `t`, or null. */
export const envelopeColumn = sql`coalesce(t.envelope, (select content from envelopes where transaction_id = t.id))`;
