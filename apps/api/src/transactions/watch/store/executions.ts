import { sql } from "kysely";
import type { Db } from "../../../platform/db/connect.ts";
import { asHex, bytesOf, type Hex } from "../../../platform/db/hex.ts";
import type { Phase } from "../../lifecycle.ts";
import type { ReadBlock } from "./read-block.ts";
import { makeUseStore } from "./uses.ts";

/** The times of a block and of the newest one, in Unix seconds by the chain's clock. */
export type BlockTimes = { readonly block: bigint; readonly head: bigint };

/** The values of a transaction on the chain that a proposal is compared with. */
export type Bytes = { readonly from: Hex; readonly to: Hex; readonly dataHash: Hex };

/** A proposal whose call may be sent. */
export type Watched = {
  readonly id: string;
  readonly escrow: Hex;
  readonly to: Hex;
  readonly value: bigint;
  readonly dataHash: Hex;
  readonly phase: Phase;
  /** Whether it has already been seen in a block, which may not be final. */
  readonly isCarried: boolean;
};

/** A proposal whose call was seen in a block. */
export type Carried = {
  readonly id: string;
  readonly escrow: Hex;
  readonly phase: Phase;
  readonly final: boolean;
  readonly hash: Hex;
  readonly block: bigint;
  readonly blockHash: Hex;
};

export type Cursor = {
  readonly chainId: number;
  readonly blockNumber: string;
  /** Null until the chain was read to its end. */
  readonly caughtUpAt: Date | null;
};

type CarriedRow = Omit<Carried, "block"> & { readonly block: string };

const carriedColumns = sql`id, escrow, phase, final, ${asHex("execution_hash")} as hash, execution_block as block,
  ${asHex("execution_block_hash")} as "blockHash"`;
const carriedOf = (row: CarriedRow): Carried => ({ ...row, block: BigInt(row.block) });
/** Waits for its block to become final. Nothing does before approval and after a rejection. */
const isUnsettled = sql`execution_hash is not null and not final and phase <> 'REJECTED'
  and phase in ('CONFIRMING', 'FAILED', 'LAPSED')`;
const batch = 500;

const watchedColumns = sql`id, escrow, to_address as "to", value, ${asHex("data_hash")} as "dataHash", phase,
  execution_hash is not null as "isCarried"`;

/** Tolerated difference between the clocks of a chain and of the database, in addition to the observed one. */
const graceSeconds = 60;
/** How far the chain is behind because it has stalled or its clock is slow. */
const behind = (head: bigint) =>
  sql`greatest(now() - to_timestamp(${head.toString()}::bigint), interval '0 seconds')
    + make_interval(secs => ${graceSeconds})`;

const jsonOf = (blocks: readonly ReadBlock[]): string =>
  JSON.stringify(blocks.map(({ number, hash }) => ({ number: number.toString(), hash })));

export type WatchStore = ReturnType<typeof makeWatchStore>;

export function makeWatchStore(db: Db) {
  return {
    /** For released signatures, in place of transactions. */
    uses: makeUseStore(db),

    /** The last blocks that were read, newest last. Empty at first. */
    async readCursor(chainId: number): Promise<readonly ReadBlock[]> {
      const { rows } = await sql<{ recent: readonly { number: string; hash: Hex }[] }>`
        select recent from chain_cursors where chain_id = ${chainId}`.execute(db);
      return (rows[0]?.recent ?? []).map(({ number, hash }) => ({ number: BigInt(number), hash }));
    },

    /** Returns false, without a change, if another process has moved it in the meantime. */
    async moveCursor(
      chainId: number,
      from: ReadBlock | undefined,
      recent: readonly ReadBlock[],
    ): Promise<boolean> {
      const last = recent.at(-1);
      if (last === undefined) throw new Error("a cursor without blocks");
      const { rows } = await sql`
        insert into chain_cursors as c (chain_id, block_number, recent, uses_read)
        values (${chainId}, ${last.number.toString()}, ${jsonOf(recent)}, ${last.number.toString()})
        on conflict (chain_id) do update set block_number = excluded.block_number, recent = excluded.recent,
          uses_read = excluded.uses_read, updated_at = now()
          where c.block_number = ${from?.number.toString() ?? null}::bigint
            and c.recent -> -1 ->> 'hash' = ${from?.hash ?? null}::text
        returning 1`.execute(db);
      return rows.length === 1;
    },

    /** Records that every block up to this many seconds ago was read. */
    async noteCaughtUp(chainId: number, secondsAgo: number): Promise<void> {
      await sql`
        update chain_cursors set caught_up_at =
          greatest(caught_up_at, clock_timestamp() - make_interval(secs => ${secondsAgo}))
        where chain_id = ${chainId}`.execute(db);
    },

    /** The wallets of all transactions on the chain that may still be executed, or might have been shortly before. */
    async listWallets(chainId: number): Promise<readonly Hex[]> {
      const { rows } = await sql<{ escrow: Hex }>`
        select escrow from transactions
        where chain_id = ${chainId} and (expires_at is not null or phase in ('EXECUTING', 'BROADCAST'))
        union
        select escrow from transactions
        where chain_id = ${chainId} and phase = 'LAPSED' and updated_at > now() - interval '7 days'`.execute(
        db,
      );
      return rows.map(({ escrow }) => escrow);
    },

    /** How far each chain was read. */
    async listCursors(): Promise<readonly Cursor[]> {
      const { rows } = await sql<Omit<Cursor, "chainId"> & { chainId: string }>`
        select chain_id as "chainId", block_number as "blockNumber", caught_up_at as "caughtUpAt"
        from chain_cursors`.execute(db);
      return rows.map((row) => ({ ...row, chainId: Number(row.chainId) }));
    },

    /**
     * The earliest time at which an awaited transaction can have been sent, or a new release used, by the chain's
     * clock. Undefined if none is awaited.
     */
    async readEarliest(chainId: number, head: bigint): Promise<bigint | undefined> {
      const { rows } = await sql<{ earliest: string | null }>`
        select floor(extract(epoch from min(since) - (${behind(head)})))::bigint as earliest from (
          select min(created_at) as since
          from transactions where (expires_at is not null or phase in ('EXECUTING', 'BROADCAST'))
            and chain_id = ${chainId}
          union all
          -- A use may be long after the release. What was used before the blocks that are read is seen in the state.
          select min(released_at) from release_watches
          where chain_id = ${chainId} and released_at > now() - interval '1 day'
        ) as awaited`.execute(db);
      const earliest = rows[0]?.earliest ?? null;
      return earliest === null ? undefined : BigInt(earliest);
    },

    /**
     * The awaited proposals with this call or, once approved, with this sender and destination, most likely
     * first. Excludes proposals made after the block: an earlier transaction is not their execution.
     */
    async listWatched(
      chainId: number,
      calls: readonly Bytes[],
      times: BlockTimes,
    ): Promise<readonly Watched[]> {
      if (calls.length === 0) return [];
      const of = <K extends keyof Bytes>(member: K) => [...new Set(calls.map((call) => call[member]))];
      const isAskedFor = sql`chain_id = ${chainId} and escrow = any(${of("from")}) and to_address = any(${of("to")})
        and not final and to_address is not null
        and (phase = 'READY' or data_hash = any(${of("dataHash").map(bytesOf)}))
        and created_at <= to_timestamp(${times.block.toString()}::bigint) + ${behind(times.head)}`;
      const { rows } = await sql<Omit<Watched, "value"> & { value: string }>`
        select * from (
          select ${watchedColumns} from transactions where ${isAskedFor} and execution_hash is null
          union all
          select ${watchedColumns} from transactions
          where ${isAskedFor} and execution_hash is not null and phase <> 'REJECTED'
        ) as watched
        order by case phase when 'BROADCAST' then 0 when 'EXECUTING' then 0 when 'READY' then 1 when 'CONFIRMING' then 2
          when 'FAILED' then 3 when 'LAPSED' then 3 when 'REJECTED' then 5 else 4 end, id
        limit 10000`.execute(db);
      return rows.map((row) => ({ ...row, value: BigInt(row.value) }));
    },

    /** The proposals that already have one of these transactions. */
    async listCarrying(chainId: number, hashes: readonly Hex[]): Promise<readonly Carried[]> {
      if (hashes.length === 0) return [];
      const { rows } = await sql<CarriedRow>`
        select ${carriedColumns} from transactions
        where chain_id = ${chainId} and execution_hash = any(${hashes.map(bytesOf)})`.execute(db);
      return rows.map(carriedOf);
    },

    /** Those in a block that is not among these, though it is not older. `upTo`: nor newer than that. */
    async listStray(
      chainId: number,
      blocks: readonly ReadBlock[],
      { from, upTo }: { readonly from: bigint; readonly upTo: bigint | undefined },
    ): Promise<readonly Carried[]> {
      const { rows } = await sql<CarriedRow>`
        select ${carriedColumns} from transactions
        where chain_id = ${chainId} and ${isUnsettled} and execution_block >= ${from.toString()}
          and execution_block <= ${upTo?.toString() ?? "9223372036854775807"}
          and execution_block_hash <> all(${blocks.map(({ hash }) => bytesOf(hash))})
        order by execution_block limit ${batch}`.execute(db);
      return rows.map(carriedOf);
    },

    /** Those in a block up to that one. */
    async listCarriedUpTo(chainId: number, block: bigint): Promise<readonly Carried[]> {
      const { rows } = await sql<CarriedRow>`
        select ${carriedColumns} from transactions
        where chain_id = ${chainId} and ${isUnsettled} and execution_block <= ${block.toString()}
        order by execution_block limit ${batch}`.execute(db);
      return rows.map(carriedOf);
    },
  };
}
