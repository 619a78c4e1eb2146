import type { Shape } from "@countersign/wire";
import { sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import type { Hex } from "../../platform/db/hex.ts";
import type { WatchedChains } from "./columns.ts";

/** An approved transaction that has expired and was not seen in a block. */
export type Outlived = {
  readonly requestHash: Hex;
  readonly chainId: number;
  readonly escrow: Hex;
  /** Null for a transaction. */
  readonly shape: Shape | null;
  /** Whether every block up to its expiry was read. */
  readonly isCovered: boolean;
  /** Whether it expired so long ago that nothing more is waited for. */
  readonly isLate: boolean;
};

/** How long the chain watch has to read up to an expiry before the approval lapses without it. */
const graceSeconds = 600;

/** Returns those that can be settled now, oldest first. */
export async function listOutlived(
  db: Db,
  watchedChains: WatchedChains,
  limit: number,
): Promise<readonly Outlived[]> {
  const isLate = sql`t.expires_at <= now() - make_interval(secs => ${graceSeconds})`;
  const isCovered = sql`coalesce(c.caught_up_at >= t.expires_at, false)`;
  const { rows } = await sql<Omit<Outlived, "chainId"> & { chainId: string }>`
    select '0x' || encode(t.request_hash, 'hex') as "requestHash", t.chain_id as "chainId", t.escrow, t.shape,
      ${isCovered} as "isCovered", ${isLate} as "isLate"
    from transactions t left join chain_cursors c on c.chain_id = t.chain_id
    where t.expires_at <= now() and t.phase = 'READY'
      and (t.chain_id <> all(${[...watchedChains]}::bigint[]) or ${isCovered} or ${isLate})
    order by t.expires_at limit ${limit}`.execute(db);
  return rows.map((row) => ({ ...row, chainId: Number(row.chainId) }));
}
