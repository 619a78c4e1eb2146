import { sql } from "kysely";
import type { Db } from "../platform/db/connect.ts";
import type { Price } from "./price.ts";

type Row = Omit<Price, "usd"> & { readonly usd: string };
/** A price with its age, and whether limits may be counted with it. */
export type StoredPrice = Price & { readonly readAt: Date; readonly isUsable: boolean };

/** A process that cannot reach a node for so long does not know the price any more. */
const readSeconds = 300;

const isUsable = sql<boolean>`as_of > clock_timestamp() - make_interval(secs => fresh_seconds)
  and read_at > clock_timestamp() - make_interval(secs => ${readSeconds})`;

const priceOf = <R extends Row>({ usd, ...rest }: R) => ({ ...rest, usd: BigInt(usd) });

/** Returns the prices of these assets that may be used now. */
export async function readPrices(db: Db, assets: readonly string[]): Promise<ReadonlyMap<string, Price>> {
  const { rows } = await sql<Row>`
    select asset, usd, source, as_of as "asOf" from prices where asset = any(${[...assets]}) and ${isUsable}`.execute(
    db,
  );
  return new Map(rows.map((row) => [row.asset, priceOf(row)]));
}

export type PriceStore = ReturnType<typeof makePriceStore>;

export function makePriceStore(db: Db) {
  return {
    async write({ asset, usd, source, asOf }: Price, freshSeconds: number): Promise<void> {
      await sql`
        insert into prices (asset, usd, source, as_of, fresh_seconds)
        values (${asset}, ${usd.toString()}, ${source}, ${asOf}, ${freshSeconds})
        on conflict (asset) do update set usd = excluded.usd, source = excluded.source, as_of = excluded.as_of,
          fresh_seconds = excluded.fresh_seconds, read_at = clock_timestamp()`.execute(db);
    },

    /** Deletes the prices of assets whose feed is no longer configured. */
    async keepOnly(assets: readonly string[]): Promise<void> {
      await sql`delete from prices where asset <> all(${[...assets]})`.execute(db);
    },

    async list(): Promise<readonly StoredPrice[]> {
      const { rows } = await sql<Row & { readAt: Date; isUsable: boolean }>`
        select asset, usd, source, as_of as "asOf", read_at as "readAt", ${isUsable} as "isUsable"
        from prices order by asset`.execute(db);
      return rows.map(priceOf);
    },
  };
}
