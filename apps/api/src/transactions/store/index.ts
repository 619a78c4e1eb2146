import { sql } from "kysely";
import type { Account } from "../../accounts/index.ts";
import type { Db } from "../../platform/db/connect.ts";
import type { Hex } from "../../platform/db/hex.ts";
import { workTogether } from "../../platform/work-together.ts";
import type { Parties } from "../parties/read-parties.ts";
import type { Approval, Extras, NewTransaction, Transaction } from "../transaction.ts";
import { listApprovals, listApprovalsOf } from "./approvals.ts";
import { readBundle, type StoredBundle } from "./bundles.ts";
import {
  changeTransaction,
  changeTransactions,
  type Changed,
  type Key,
  type Rule,
  type WantedChange,
} from "./change.ts";
import { columns, isNamed, transactionOf, type Row, type WatchedChains } from "./columns.ts";
import { readContextLogs, type ContextLogs } from "./context-logs.ts";
import {
  claimCosignature,
  findCosigned,
  findExecution,
  insertExecution,
  keepSnapshot,
  listSendable,
  noteTheirId,
  readSnapshot,
  type Begun,
  type Claim,
  type Cosigned,
  type SenderName,
} from "./executions.ts";
import { envelopeColumn } from "./envelopes.ts";
import { listGranted } from "./granted.ts";
import { insertTransaction } from "./insert.ts";
import { forgetIntentNonces } from "./intent-nonces.ts";
import { readPartiesOf } from "./parties.ts";
import { readMetadata, writeMetadata, type Metadata } from "./metadata.ts";
import { listOutlived, type Outlived } from "./outlived.ts";
import { acceptExecutions, acceptVerification } from "./missing-flows.ts";
import { listExecutedCalls, listStandings, type ExecutedCall, type Standing } from "./standings.ts";
import { readReport } from "./reports.ts";
import { readDecisionState, type DecisionState } from "./status.ts";
import { listVerifiable, type Verifiable } from "./verifiable.ts";

/** A caller's database transaction. Pass it on; do not use it directly. */
export type Within = Db;

export type { StoredBundle } from "./bundles.ts";
export type { Change, Changed, Facts, Key, Rule } from "./change.ts";
export type { Begun, Claim, SenderName } from "./executions.ts";
export type { Metadata } from "./metadata.ts";
export type { Outlived } from "./outlived.ts";
export {
  makeRegistrationStore,
  type Registrable,
  type Registration,
  type RegistrationStore,
} from "./registrations.ts";
export type { DecisionState } from "./status.ts";
export type { Verifiable } from "./verifiable.ts";

/** A transaction and the decisions about it, from one snapshot. */
export type Decided = { readonly transaction: Transaction; readonly approvals: readonly Approval[] };

type Parts = {
  readonly db: Db;
  readonly approvedSeconds: number;
  readonly watchedChains: WatchedChains;
  /** Whether reports are compressed and encrypted payloads are in a table of their own. All forms are read. */
  readonly compactStorage: boolean;
};

export type TransactionStore = ReturnType<typeof makeTransactionStore>;

export function makeTransactionStore({ db, ...parts }: Parts) {
  const { watchedChains } = parts;
  /** For answers made of several reads: all of them see the same snapshot. */
  const atOneInstant = <T>(read: (tx: Db) => Promise<T>): Promise<T> =>
    db.transaction().setIsolationLevel("repeatable read").setAccessMode("read only").execute(read);

  const changeTogether = workTogether<WantedChange, Changed | undefined>({
    work: (wanted) => db.transaction().execute((tx) => changeTransactions(tx, wanted, parts)),
    ...{ atMost: 64, groups: 4 },
  });

  return {
    /** Within the given transaction, if any. */
    insert: (made: NewTransaction, tx: Db = db): Promise<Transaction> => insertTransaction(tx, made, parts),

    /** Deletes some expired nonces. Returns how many. */
    forgetIntentNonces: (limit: number): Promise<number> => forgetIntentNonces(db, limit),

    /** The only way a transaction changes, together with others that change at the same time. See `changeTransactions`. */
    change: (key: Key, rule: Rule, tx?: Db): Promise<Changed | undefined> =>
      tx === undefined ? changeTogether({ key, rule }) : changeTransaction(tx, { key, rule }, parts),

    async find(requestHash: Hex): Promise<Transaction | undefined> {
      const { rows } = await sql<Row>`
        select ${columns} from transactions t where ${isNamed(requestHash)}`.execute(db);
      return rows[0] === undefined ? undefined : transactionOf(rows[0], watchedChains);
    },

    /** Who it pays or gives access to. */
    readParties: (transaction: Transaction): Promise<Parties> => readPartiesOf(db, transaction),

    listApprovals: (id: string): Promise<readonly Approval[]> => listApprovals(db, id),

    /** The account's transactions before `beforeId`, newest first. */
    async list(
      account: Account,
      { limit, beforeId }: { readonly limit: number; readonly beforeId: string | undefined },
    ): Promise<readonly Decided[]> {
      return atOneInstant(async (tx) => {
        const { rows } = await sql<Row>`
          select ${columns} from transactions t
          where t.account = ${account} ${beforeId === undefined ? sql`` : sql`and t.id < ${beforeId}`}
          order by t.id desc limit ${limit}`.execute(tx);
        const approvals = await listApprovalsOf(
          tx,
          rows.map(({ id }) => id),
        );
        return rows.map((row) => ({
          transaction: transactionOf(row, watchedChains),
          approvals: approvals.get(row.id) ?? [],
        }));
      });
    },

    findDecided(requestHash: Hex): Promise<Decided | undefined> {
      return atOneInstant(async (tx) => {
        const { rows } = await sql<Row>`
          select ${columns} from transactions t where ${isNamed(requestHash)}`.execute(tx);
        const [row] = rows;
        if (row === undefined) return undefined;
        return { transaction: transactionOf(row, watchedChains), approvals: await listApprovals(tx, row.id) };
      });
    },

    readDecisionState: (requestHash: Hex): Promise<DecisionState | undefined> =>
      readDecisionState(db, requestHash, watchedChains),

    listGranted,

    /** For changing a transaction together with other rows. */
    inTransaction: <T>(work: (tx: Within) => Promise<T>): Promise<T> => db.transaction().execute(work),

    readMetadata: (id: string, tx: Within = db): Promise<Metadata> => readMetadata(tx, id),
    writeMetadata: (tx: Within, of: Pick<Transaction, "id" | "account">, metadata: Metadata): Promise<void> =>
      writeMetadata(tx, of, metadata),

    /** The content to encrypt, or its envelope. */
    async readSealing(
      requestHash: Hex,
    ): Promise<{ readonly extras: Extras | null; readonly envelope: Buffer | null } | undefined> {
      const { rows } = await sql<{ extras: Extras | null; envelope: Buffer | null }>`
        select unsealed_extras as extras, ${envelopeColumn} as envelope from transactions t
        where ${isNamed(requestHash)}`.execute(db);
      return rows[0];
    },

    /** Null if the proposer sent none. */
    readContextLogs: (id: string): Promise<ContextLogs | null> => readContextLogs(db, id),

    /** Undefined if none is stored. Throws if it cannot be read. */
    readReport: (id: string): Promise<unknown> => readReport(db, id),

    /** The gzipped inputs of the verdict. Undefined if there are none. */
    readBundle: (id: string): Promise<StoredBundle | undefined> => readBundle(db, id),

    /**
     * Together with the change that begins it. Returns false if another transaction of the same wallet is
     * being sent.
     */
    insertExecution: (tx: Within, of: Transaction, sender: SenderName): Promise<boolean> =>
      insertExecution(tx, of, sender),
    findExecution: (id: string): Promise<Begun | undefined> => findExecution(db, id),
    noteTheirId: (id: string, theirId: string): Promise<void> => noteTheirId(db, id, theirId),
    keepSnapshot: (of: Pick<Transaction, "id" | "account">, taken: unknown): Promise<void> =>
      keepSnapshot(db, of, taken),
    readSnapshot: (id: string): Promise<unknown> => readSnapshot(db, id),
    claimCosignature: (
      of: Pick<Transaction, "id" | "account" | "version">,
      cosigned: Cosigned,
    ): Promise<Claim> => claimCosignature(db, of, cosigned),
    findCosigned: (account: Account, theirId: string): Promise<Hex | undefined> =>
      findCosigned(db, account, theirId),
    listSendable: (bytes: Parameters<typeof listSendable>[1]): Promise<readonly Hex[]> =>
      listSendable(db, bytes),

    /** For the way to a verdict. Those that are not known are left out. */
    listVerifiable: (requestHashes: readonly Hex[]): Promise<readonly Verifiable[]> =>
      listVerifiable(db, requestHashes, watchedChains),
    listStandings: (requestHashes: readonly Hex[]): Promise<readonly Standing[]> =>
      listStandings(db, requestHashes),
    listExecutedCalls: (accounts: readonly Hex[]): Promise<readonly ExecutedCall[]> =>
      listExecutedCalls(db, accounts),
    acceptVerification: (requestHash: Hex): Promise<boolean> => acceptVerification(db, requestHash),
    acceptExecutions: (requestHashes: readonly Hex[]): Promise<readonly Hex[]> =>
      acceptExecutions(db, requestHashes),

    /** Pending ones past their time, by the database's clock. */
    async listOverdue(limit: number): Promise<readonly Hex[]> {
      const { rows } = await sql<{ requestHash: Hex }>`
        select '0x' || encode(request_hash, 'hex') as "requestHash" from transactions
        where expires_at <= now() and phase <> 'READY' order by expires_at limit ${limit}`.execute(db);
      return rows.map(({ requestHash }) => requestHash);
    },

    /** Those that wait for their owner, with a quarter of the time or less, and at most an hour, left. */
    async listUnreminded(limit: number): Promise<readonly Hex[]> {
      const { rows } = await sql<{ requestHash: Hex }>`
        select '0x' || encode(request_hash, 'hex') as "requestHash" from transactions
        where phase = 'AWAITING' and reminded_at is null and expires_at > now()
          and expires_at <= now() + interval '1 hour'
          and expires_at - now() <= (expires_at - coalesce(verdict_at, created_at)) / 4
        order by expires_at limit ${limit}`.execute(db);
      return rows.map(({ requestHash }) => requestHash);
    },

    /** Whether the chain watch has caught up within the last minutes. */
    async isKeptUp(chainId: number): Promise<boolean> {
      const { rows } = await sql`
        select 1 from chain_cursors
        where chain_id = ${chainId} and caught_up_at > now() - interval '5 minutes'`.execute(db);
      return rows.length > 0;
    },

    listOutlived: (limit: number): Promise<readonly Outlived[]> => listOutlived(db, watchedChains, limit),
  };
}
