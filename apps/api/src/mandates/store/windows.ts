// The windows of a mandate's limits at past times, by the same expression as the live decision.
import { sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import { hasSeconds, storedSpan } from "../span.ts";
import type { Terms } from "../terms.ts";
import { windowStartAt } from "./budgets.ts";

const limitsOf = ({ limits }: Pick<Terms, "limits">): string =>
  JSON.stringify(
    limits.map(({ span, seconds }) => {
      const { span: unit, timeZone } = storedSpan(span);
      return { span: unit, time_zone: timeZone, period_seconds: hasSeconds(span) ? seconds : null };
    }),
  );

/** For each time, the starts of the limits' windows in Unix milliseconds, in the order of the limits. */
export type Windows = readonly (readonly number[])[];

/** Also for times before the mandate is valid, as if it had been. */
export async function readWindows(
  db: Db,
  terms: Pick<Terms, "limits" | "validFrom">,
  times: readonly Date[],
): Promise<Windows> {
  if (times.length === 0) return [];
  const validFrom = sql`to_timestamp(${terms.validFrom}::bigint)`;
  const { rows } = await sql<{ readonly starts: readonly string[] }>`
    select json_agg(${windowStartAt(sql`p.at`, validFrom)} order by l.position) as starts
    from unnest(${times.map((time) => time.toISOString())}::timestamptz[]) with ordinality as p (at, number)
    cross join rows from (jsonb_to_recordset(${limitsOf(terms)}::jsonb)
      as (span text, time_zone text, period_seconds integer)) with ordinality
      as l (span, time_zone, period_seconds, position)
    group by p.number order by p.number`.execute(db);
  return rows.map(({ starts }) => starts.map((start) => Date.parse(start)));
}
