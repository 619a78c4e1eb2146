import { sql } from "kysely";
import { newId } from "@countersign/platform/ids";
import type { Db } from "../db/connect.ts";
import { bytesOf } from "../db/hex.ts";

type Hex = `0x${string}`;

/** Why a transaction is needed: a purpose, and the key of the row that needs it. */
export type Want = { readonly purpose: string; readonly subject: string };

/** A transaction as stored before it was first sent. */
export type KeptTransaction = {
  readonly account: string;
  readonly chainId: number;
  readonly signer: Hex;
  readonly nonce: number;
  readonly bytes: Hex;
  readonly hash: Hex;
  readonly state: "signed" | "mined" | "displaced" | "reverted";
};

/**
 * Locks the row that needs a transaction, marks it as signed, and returns its account. Undefined if it no
 * longer needs one. Runs inside the signing transaction.
 */
export type Claim = (tx: Db) => Promise<string | undefined>;

type Signing = Want & {
  readonly chainId: number;
  readonly signer: Hex;
  readonly transactionCount: number;
  readonly sign: (nonce: number) => Promise<{ readonly bytes: Hex; readonly hash: Hex }>;
};

const columns = sql`account, chain_id::float8 as "chainId", signer, nonce, '0x' || encode(bytes, 'hex') as bytes, hash, state`;
const live = sql`state in ('signed', 'mined')`;

export type OwnTransactionStore = ReturnType<typeof makeOwnTransactionStore>;

export function makeOwnTransactionStore(db: Db) {
  const findLive = async ({ purpose, subject }: Want, tx: Db = db): Promise<KeptTransaction | undefined> => {
    const { rows } = await sql<KeptTransaction>`
      select ${columns} from own_transactions
      where purpose = ${purpose} and subject = ${subject} and ${live}`.execute(tx);
    return rows[0];
  };
  /**
   * Locks the counter until the end of the transaction, so that no other process signs for this wallet in the
   * meantime.
   */
  const takeNonce = async (tx: Db, { chainId, signer, transactionCount }: Signing): Promise<number> => {
    const { rows } = await sql<{ nonce: number }>`
      insert into signer_nonces as s (chain_id, signer, next_nonce)
      values (${chainId}, ${signer}, ${transactionCount}::integer + 1)
      on conflict (chain_id, signer) do update
        set next_nonce = greatest(s.next_nonce, ${transactionCount}::integer) + 1
      returning next_nonce - 1 as nonce`.execute(tx);
    const [row] = rows;
    if (row === undefined) throw new Error("a counter returned nothing");
    return row.nonce;
  };

  return {
    /** The row's one transaction that may still have, or has had, its effect. */
    findLive,

    async read(hash: Hex): Promise<KeptTransaction | undefined> {
      const { rows } = await sql<KeptTransaction>`
        select ${columns} from own_transactions where hash = ${hash}`.execute(db);
      return rows[0];
    },

    /**
     * Takes a nonce, signs, and stores the signed bytes together with the row that needs them, atomically. A
     * row with a live transaction keeps it, also if it no longer needs one. Returns the transaction's hash.
     */
    async signOnce(signing: Signing, claim: Claim): Promise<Hex | undefined> {
      const { purpose, subject, chainId, signer } = signing;
      return db.transaction().execute(async (tx) => {
        // First of all: anything else that would sign for this row, or withdraw it, waits here.
        const account = await claim(tx);
        const standing = await findLive(signing, tx);
        if (standing !== undefined) return standing.hash;
        if (account === undefined) return undefined;
        const nonce = await takeNonce(tx, signing);
        const { bytes, hash } = await signing.sign(nonce);
        await sql`
          insert into own_transactions (id, account, purpose, subject, chain_id, signer, nonce, bytes, hash)
          values (${newId()}, ${account}, ${purpose}, ${subject}, ${chainId}, ${signer}, ${nonce},
                  ${bytesOf(bytes)}, ${hash})`.execute(tx);
        return hash;
      });
    },

    /** Stores the outcome. A final outcome does not change. */
    async settle(hash: Hex, state: "mined" | "displaced" | "reverted"): Promise<void> {
      await sql`update own_transactions set state = ${state} where hash = ${hash} and ${live}`.execute(db);
    },

    /** Lists the signer's transactions from that nonce up to this one, in order. */
    async listUpTo(
      { chainId, signer, nonce }: KeptTransaction,
      fromNonce: number,
      limit: number,
    ): Promise<readonly Hex[]> {
      const { rows } = await sql<{ bytes: Hex }>`
        select '0x' || encode(bytes, 'hex') as bytes from own_transactions
        where chain_id = ${chainId} and signer = ${signer} and nonce between ${fromNonce} and ${nonce} and ${live}
        order by nonce limit ${limit}`.execute(db);
      return rows.map(({ bytes }) => bytes);
    },
  };
}
