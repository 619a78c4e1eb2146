import { sql } from "kysely";
import type { Account } from "../accounts/index.ts";
import type { Db } from "../platform/db/connect.ts";
import type { Section } from "./sections.ts";

export type Row = Readonly<Record<string, unknown>>;
/** The values of the columns of the section's order, as PostgreSQL writes them: a Date would lose microseconds. */
type Position = readonly string[];
export type Page = { readonly rows: readonly Row[]; readonly next: Position | undefined };

const pageSize = 200;
/** A page is read by an index or from few rows. One that takes longer is not worth the wait of the others. */
const statementSeconds = 10;

export type ExportStore = ReturnType<typeof makeExportStore>;

export const makeExportStore = (db: Db) => ({
  /** Returns the account's rows after that position, in their order. */
  async readPage(
    account: Account,
    { table, order, shows }: Section,
    after: Position | undefined,
  ): Promise<Page> {
    const at = order.map((column, index) => sql`${sql.ref(column)}::text as ${sql.ref(`at${index}`)}`);
    // A parameter has the type of the column that it is compared with.
    const later =
      after === undefined
        ? sql`true`
        : sql`(${sql.join(order.map((column) => sql.ref(column)))}) > (${sql.join([...after])})`;
    const { rows } = await db.transaction().execute(async (tx) => {
      await sql`select set_config('statement_timeout', ${`${statementSeconds}s`}, true)`.execute(tx);
      return sql<Row>`
        select ${sql.join([...shows.map((column) => sql.ref(column)), ...at])} from ${sql.table(table)}
        where account = ${account} and ${later}
        order by ${sql.join(order.map((column) => sql.ref(column)))} limit ${pageSize}`.execute(tx);
    });
    const last = rows.length < pageSize ? undefined : rows.at(-1);
    return {
      rows: rows.map((row) => Object.fromEntries(shows.map((column) => [column, row[column]]))),
      next: last && order.map((_column, index) => String(last[`at${index}`])),
    };
  },
});
