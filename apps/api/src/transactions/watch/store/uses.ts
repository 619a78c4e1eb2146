// The queries of the watcher about what was released.
import type { Payload } from "@countersign/wire";
import { sql } from "kysely";
import type { Db } from "../../../platform/db/connect.ts";
import { asHex, bytesOf, type Hex } from "../../../platform/db/hex.ts";
import type { Mark, Outcome, Use } from "../../uses/index.ts";
import type { ReadBlock } from "./read-block.ts";

/** A released signature whose use is looked for. */
export type WatchedUse = {
  readonly id: string;
  readonly chainId: number;
  readonly escrow: Hex;
  readonly payload: Payload;
  readonly signingHash: Hex;
  readonly marks: readonly Mark[];
  /** Whether its nonce was unused in a block since which every block was read. */
  readonly wasOpen: boolean;
  readonly use: Use | null;
};

/** A released signature, and the block that shows whether it was used. */
export type SeenUse = { readonly id: string; readonly use: Use };

/** Which contracts' events are of interest on a chain. Undefined if nothing is watched there. */
type Scope = { readonly contracts: readonly Hex[] } | undefined;

type UseRow = {
  readonly outcome: Outcome | null;
  readonly hash: Hex | null;
  readonly block: string | null;
  readonly blockHash: Hex | null;
};
type Row = Omit<WatchedUse, "use" | "chainId"> & UseRow & { readonly chainId: string };

const useColumns = sql`t.use_outcome as outcome, ${asHex("t.use_hash")} as hash, t.use_block as block,
  ${asHex("t.use_block_hash")} as "blockHash"`;
const columns = sql`t.id, t.chain_id as "chainId", t.escrow, t.payload, ${asHex("t.signing_hash")} as "signingHash",
  w.marks, w.was_open as "wasOpen", ${useColumns}`;
const watches = sql`release_watches w join transactions t on t.id = w.transaction_id`;

const useOf = ({ outcome, hash, block, blockHash }: UseRow): Use | null =>
  outcome === null || block === null || blockHash === null
    ? null
    : { outcome, hash, block: BigInt(block), blockHash };

const watchedOf = ({
  id,
  chainId,
  escrow,
  payload,
  signingHash,
  marks,
  wasOpen,
  ...row
}: Row): WatchedUse => ({
  ...{ id, chainId: Number(chainId), escrow, payload, signingHash, marks, wasOpen },
  use: useOf(row),
});

const seenOf = ({ id, ...row }: UseRow & { readonly id: string }): readonly SeenUse[] => {
  const use = useOf(row);
  return use === null ? [] : [{ id, use }];
};

const batch = 500;
/** How long a batch is looked for, of which nothing else says whether it was sent. */
const batchDays = 7;

export type UseStore = ReturnType<typeof makeUseStore>;

export function makeUseStore(db: Db) {
  return {
    async readScope(chainId: number): Promise<Scope> {
      const { rows } = await sql<{ contract: Hex | null }>`
        select distinct c.contract from release_watches w left join lateral unnest(w.contracts) as c (contract) on true
        where w.chain_id = ${chainId}`.execute(db);
      if (rows.length === 0) return undefined;
      return { contracts: rows.flatMap(({ contract }) => contract ?? []) };
    },

    async listByMarks(chainId: number, marks: readonly Mark[]): Promise<readonly WatchedUse[]> {
      if (marks.length === 0) return [];
      const { rows } = await sql<Row>`
        select ${columns} from ${watches}
        where w.chain_id = ${chainId} and w.marks && ${[...marks]}::text[] order by t.id`.execute(db);
      return rows.map(watchedOf);
    },

    /** Those whose state is to be read now. */
    async listDue(chainId: number): Promise<readonly WatchedUse[]> {
      const { rows } = await sql<Row>`
        select ${columns} from ${watches}
        where w.chain_id = ${chainId} and w.has_state and w.check_at <= now() and t.use_outcome is null
        order by w.check_at limit 100`.execute(db);
      return rows.map(watchedOf);
    },

    /** Records a reading of the state. The next is when it ends, and before that more and more rarely. */
    async noteChecked(
      { id }: Pick<WatchedUse, "id">,
      { isOpen, endsAt }: { readonly isOpen: boolean; readonly endsAt: bigint | null },
    ): Promise<void> {
      await sql`
        update release_watches set was_open = was_open or ${isOpen},
          check_at = now() + least(
            greatest((now() - released_at) / 10, interval '1 minute'), interval '1 hour',
            greatest(to_timestamp(${endsAt?.toString() ?? null}::bigint) - now(), interval '15 seconds'))
        where transaction_id = ${id}`.execute(db);
    },

    /** Makes this round read their state. */
    async hasten(ids: readonly string[]): Promise<void> {
      if (ids.length === 0) return;
      await sql`update release_watches set check_at = now() where transaction_id = any(${[...ids]}::uuid[])`.execute(
        db,
      );
    },

    /** Some blocks are not read: the state before them proves nothing. */
    async forgetOpen(chainId: number): Promise<void> {
      await sql`update release_watches set was_open = false, check_at = now() where chain_id = ${chainId}`.execute(
        db,
      );
    },

    /** The same if a process that does not look for uses has moved the cursor, as during an upgrade. */
    async forgetOpenIfPassed(chainId: number): Promise<void> {
      await sql`
        update release_watches w set was_open = false, check_at = now() from chain_cursors c
        where w.chain_id = ${chainId} and w.was_open and c.chain_id = w.chain_id
          and c.uses_read is distinct from c.block_number`.execute(db);
    },

    /** Ends the search for batches that were released long ago. Nothing is claimed about them. */
    async giveUpBatches(chainId: number): Promise<void> {
      await sql`
        delete from release_watches w using transactions t
        where t.id = w.transaction_id and w.chain_id = ${chainId} and not w.has_state and t.use_outcome is null
          and w.released_at < now() - make_interval(days => ${batchDays})`.execute(db);
    },

    /** Those in a block that is not among these, though it is not older. `upTo`: nor newer than that. */
    async listStray(
      chainId: number,
      blocks: readonly ReadBlock[],
      { from, upTo }: { readonly from: bigint; readonly upTo: bigint | undefined },
    ): Promise<readonly SeenUse[]> {
      const { rows } = await sql<UseRow & { id: string }>`
        select t.id, ${useColumns} from ${watches}
        where w.chain_id = ${chainId} and t.use_block >= ${from.toString()}
          and t.use_block <= ${upTo?.toString() ?? "9223372036854775807"}
          and t.use_block_hash <> all(${blocks.map(({ hash }) => bytesOf(hash))})
        order by t.use_block limit ${batch}`.execute(db);
      return rows.flatMap(seenOf);
    },

    /** Those in a block up to that one. */
    async listUpTo(chainId: number, block: bigint): Promise<readonly SeenUse[]> {
      const { rows } = await sql<UseRow & { id: string }>`
        select t.id, ${useColumns} from ${watches}
        where w.chain_id = ${chainId} and t.use_block <= ${block.toString()}
        order by t.use_block limit ${batch}`.execute(db);
      return rows.flatMap(seenOf);
    },
  };
}
