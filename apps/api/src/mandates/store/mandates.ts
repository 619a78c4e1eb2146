import type { Hex } from "@countersign/wire";
import { sql } from "kysely";
import type { Account } from "../../accounts/index.ts";
import type { Db } from "../../platform/db/connect.ts";
import { asHex, bytesOf } from "../../platform/db/hex.ts";
import { joinUsed, windowStart } from "./budgets.ts";
import { readPrices, type Price } from "../../prices/index.ts";
import { mandateErrors } from "../errors.ts";
import { readHistory, type Past } from "./history.ts";
import { lockLedger } from "./ledger.ts";
import { readWindows, type Windows } from "./windows.ts";
import { hasSeconds, storedSpan } from "../span.ts";
import { assetKey, unitsOf, type Terms } from "../terms.ts";

export type Mandate = {
  readonly id: string;
  readonly account: Account;
  readonly agent: string;
  readonly digest: Hex;
  readonly terms: Terms;
  readonly signature: Hex;
  readonly status: "SCHEDULED" | "ACTIVE" | "EXPIRED" | "REVOKED";
  readonly createdAt: Date;
  readonly endedAt: Date | null;
};

/** How much of a limit is used in its current window, in base units. */
export type Used = {
  readonly windowStart: Date;
  readonly reserved: string;
  readonly spent: string;
};

/** A caller's database transaction. Pass it on; do not use it directly. */
export type Within = Db;

export type NewMandate = Pick<Mandate, "id" | "digest" | "terms" | "signature">;

const columns = sql`m.id, m.account, m.agent, ${asHex("m.digest")} as digest, m.terms,
  ${asHex("m.signature")} as signature, m.created_at as "createdAt", m.ended_at as "endedAt",
  case when m.ended_at is not null then 'REVOKED' when now() >= m.valid_until then 'EXPIRED'
    when now() < m.valid_from then 'SCHEDULED' else 'ACTIVE' end as status`;

const isNonceUsed = (error: unknown): boolean =>
  error instanceof Error && "constraint" in error && error.constraint === "mandates_nonce_once";

async function insertLimits(tx: Db, { id, terms }: NewMandate): Promise<void> {
  for (const [position, limit] of terms.limits.entries()) {
    const { span, timeZone } = storedSpan(limit.span);
    await sql`
      insert into mandate_limits (mandate_id, account, position, measure, span, time_zone, period_seconds, most)
      values (${id}, ${terms.account}, ${position}, ${limit.measure}, ${span}, ${timeZone},
        ${hasSeconds(limit.span) ? limit.seconds : null}, ${unitsOf(limit).toString()})`.execute(tx);
  }
}

async function insert(tx: Db, made: NewMandate): Promise<Mandate> {
  const { id, digest, terms, signature } = made;
  // From here on the agent is approved only within mandates, so a decision in progress must be before or after it.
  await lockLedger(tx, terms.account);
  const { rows } = await sql<Mandate>`
    insert into mandates as m (id, account, agent, digest, terms, signature, nonce, valid_from, valid_until)
    values (${id}, ${terms.account}, ${terms.agent}, ${bytesOf(digest)}, ${JSON.stringify(terms)},
      ${bytesOf(signature)}, ${bytesOf(terms.nonce)}, to_timestamp(${terms.validFrom}),
      to_timestamp(${terms.validUntil}))
    returning ${columns}`.execute(tx);
  await insertLimits(tx, made);
  const [row] = rows;
  if (row === undefined) throw new Error("an insert returned nothing");
  return row;
}

export type MandateStore = ReturnType<typeof makeMandateStore>;

export function makeMandateStore(db: Db) {
  const find = async (id: string, tx: Db = db): Promise<Mandate | undefined> => {
    const { rows } = await sql<Mandate>`select ${columns} from mandates m where m.id = ${id}`.execute(tx);
    return rows[0];
  };
  return {
    find,

    inTransaction: <T>(work: (tx: Db) => Promise<T>): Promise<T> => db.transaction().execute(work),

    /** Throws if the nonce was used before. */
    async add(made: NewMandate, tx?: Db): Promise<Mandate> {
      try {
        return await (tx === undefined
          ? db.transaction().execute((own) => insert(own, made))
          : insert(tx, made));
      } catch (error) {
        throw isNonceUsed(error) ? mandateErrors.nonceUsed() : error;
      }
    },

    /** Newest first. Only those of one agent, if it is given. */
    async list(account: Account, agent: string | undefined): Promise<readonly Mandate[]> {
      const { rows } = await sql<Mandate>`
        select ${columns} from mandates m
        where m.account = ${account} and (${agent ?? null}::text is null or m.agent = ${agent ?? null})
        order by m.created_at desc, m.id desc limit 1000`.execute(db);
      return rows;
    },

    /** By mandate, in the order of its limits. */
    async readUsed(ids: readonly string[]): Promise<ReadonlyMap<string, readonly Used[]>> {
      const { rows } = await sql<Used & { readonly mandateId: string }>`
        with l as (
          select l.*, ${windowStart} as window_start
          from mandates m join mandate_limits l on l.mandate_id = m.id where m.id = any(${[...ids]}::uuid[]))
        select l.mandate_id as "mandateId", l.window_start as "windowStart", coalesce(c.reserved, 0) as reserved,
          coalesce(c.spent, 0) as spent
        from l ${joinUsed} order by l.mandate_id, l.position`.execute(db);
      return Map.groupBy(rows, ({ mandateId }) => mandateId);
    },

    readHistory: (of: Parameters<typeof readHistory>[1]): Promise<readonly Past[]> => readHistory(db, of),

    /** The prices of these assets that may be used now. */
    readPrices: (assets: readonly string[]): Promise<ReadonlyMap<string, Price>> =>
      readPrices(db, assets.map(assetKey)),

    readWindows: (terms: Terms, times: readonly Date[]): Promise<Windows> => readWindows(db, terms, times),

    /** Locks the ledger. Once the caller has committed, nothing more is approved under the mandate. */
    async end(tx: Db, { id, account }: Pick<Mandate, "id" | "account">): Promise<void> {
      await lockLedger(tx, account);
      await sql`update mandates set ended_at = now() where id = ${id} and ended_at is null`.execute(tx);
    },
  };
}
