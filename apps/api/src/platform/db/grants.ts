// Privileges of the service's database role on each table. Another role owns and migrates the tables, so that a flaw
// in the service cannot rewrite decisions: PostgreSQL refuses it.
import { sql, type Kysely } from "kysely";

/** Rows are inserted and read, never changed or deleted. */
const appendOnly = [
  ...["account_events", "approvals", "bundles", "executed_parties", "policies", "registered", "reports"],
  ...["envelopes", "request_index", "snapshots"],
] as const;

/** The columns of `transactions` that change after the proposal. All others keep their inserted values. */
const mutable = [
  ...["service_id", "envelope", "content_digest", "unsealed_extras", "to_address", "value", "data_hash"],
  ...["shape", "signing_hash"],
  ...["execution_type", "require_user", "admin_may_approve", "external", "phase", "orion", "user", "admin"],
  ...["agent", "verdict_fresh", "nonce_held", "onchain", "final", "reason", "reason_detail", "late", "alert"],
  ...["granted", "needs_owner", "mandate_id", "policy_decision", "reminded_at"],
  ...["execs", "version", "expires_at", "execution_hash", "execution_block", "execution_block_hash"],
  ...["use_kind", "use_outcome", "use_hash", "use_block", "use_block_hash"],
  ...["protocol", "failure_node", "verdict_at", "updated_at"],
];

/** Kysely's own tables, which only the migrations write. */
const bookkeeping = ["migrations", "migrations_lock"];

/** An arbitrary number that nothing else in the database locks. */
const lock = 7_315_015;

/**
 * Grants the role exactly these privileges, whatever it had before. In one transaction, so that a running
 * service never lacks them.
 */
export async function grantService(db: Kysely<unknown>, role: string): Promise<void> {
  const to = sql.id(role);
  const names = (tables: readonly string[]) => sql.join(tables.map((table) => sql.table(table)));
  await db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${lock})`.execute(tx);
    const statements = [
      sql`grant usage on schema public to ${to}`,
      sql`revoke all on all tables in schema public from ${to}`,
      sql`grant select, insert, update, delete on all tables in schema public to ${to}`,
      sql`grant usage, select on all sequences in schema public to ${to}`,
      sql`revoke update, delete on ${names([...appendOnly, "transactions"])} from ${to}`,
      sql`revoke insert, update, delete on ${names(bookkeeping)} from ${to}`,
      sql`grant update (${sql.join(mutable.map((column) => sql.id(column)))}) on transactions to ${to}`,
    ];
    for (const statement of statements) await statement.execute(tx);
  });
}

/**
 * Whether the connected role could change or delete decisions because it owns the tables or has too many
 * privileges.
 */
export async function mayRewrite(db: Kysely<unknown>): Promise<boolean> {
  const { rows } = await sql<{ may: boolean }>`
    select coalesce(bool_or(
      pg_has_role(current_user, c.relowner, 'MEMBER')
      or has_table_privilege(current_user, c.oid, 'UPDATE, DELETE, TRUNCATE, TRIGGER')
      or has_any_column_privilege(current_user, c.oid, 'UPDATE')), false) as may
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relname = any(${[...appendOnly]})`.execute(
    db,
  );
  return rows[0]?.may ?? false;
}
