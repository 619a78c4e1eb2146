import { sql } from "kysely";
import type { Account } from "../accounts/index.ts";
import type { Db } from "../platform/db/connect.ts";
import type { FlowStore } from "../platform/flows/index.ts";
import { registerKeyAllowanceSeconds, registerKeyFlow, type Hex, type PgpKey } from "./pgp-key.ts";

export type NewPgpKey = Pick<PgpKey, "id" | "account" | "fingerprint" | "armoured"> & {
  readonly signature: Buffer;
  readonly signatureHash: Buffer;
};

/** The transaction of a row, as it was kept before it was first sent. */
export type KeptTransaction = {
  readonly account: Account;
  readonly signer: Hex;
  readonly nonce: number;
  readonly bytes: Hex;
  readonly hash: Hex;
};

type Signing = {
  readonly id: string;
  readonly chainId: number;
  readonly signer: Hex;
  readonly transactionCount: number;
  /** The hash of the transaction that can never happen and is to be followed by another. */
  readonly displaced: Hex | null;
  readonly sign: (nonce: number) => Promise<{ readonly bytes: Hex; readonly hash: Hex }>;
};

const columns = sql`id, account, fingerprint, armoured, '0x' || encode(signature_hash, 'hex') as "signatureHash",
  registered_at as "registeredAt", replaced_at is null as "isCurrent", chain_state as "chainState",
  signed_hash as "signedHash", transaction_hash as "transactionHash"`;

const bytesOf = (hex: Hex): Buffer => Buffer.from(hex.slice(2), "hex");

export type PgpKeyStore = ReturnType<typeof makePgpKeyStore>;

export function makePgpKeyStore(db: Db, flows: Pick<FlowStore, "accept">) {
  const accept = (tx: Db, { id, account }: Pick<PgpKey, "id" | "account">): Promise<void> =>
    flows.accept(tx, {
      flow: registerKeyFlow,
      key: id,
      account,
      allowanceSeconds: registerKeyAllowanceSeconds,
    });
  const findCurrent = async (account: Account, tx: Db = db): Promise<PgpKey | undefined> => {
    const { rows } = await sql<PgpKey>`
      select ${columns} from pgp_keys where account = ${account} and replaced_at is null`.execute(tx);
    return rows[0];
  };
  const insert = async (tx: Db, key: NewPgpKey, state: "waiting" | "unasked"): Promise<PgpKey> => {
    const { id, account, fingerprint, armoured, signature, signatureHash } = key;
    await sql`
      update pgp_keys set replaced_at = now() where account = ${account} and replaced_at is null`.execute(tx);
    const { rows } = await sql<PgpKey>`
      insert into pgp_keys (id, account, fingerprint, armoured, signature, signature_hash, chain_state)
      values (${id}, ${account}, ${fingerprint}, ${armoured}, ${signature}, ${signatureHash}, ${state})
      returning ${columns}`.execute(tx);
    const [made] = rows;
    if (made === undefined) throw new Error("an insert returned nothing");
    return made;
  };
  /** Locks the counter until the end of the transaction: nobody else signs for this wallet meanwhile. */
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
    findCurrent,

    async read(id: string): Promise<PgpKey | undefined> {
      const { rows } = await sql<PgpKey>`select ${columns} from pgp_keys where id = ${id}`.execute(db);
      return rows[0];
    },

    /**
     * Makes this the account's key, in place of any before, and accepts the work of recording it if there is a registry.
     * The very key that is current, and is or will be on the chain, stays as it is.
     */
    async register(key: NewPgpKey, { hasRegistry }: { readonly hasRegistry: boolean }): Promise<PgpKey> {
      return db.transaction().execute(async (tx) => {
        // Two at once: one after the other.
        await sql`select 1 from users where account = ${key.account} for no key update`.execute(tx);
        const current = await findCurrent(key.account, tx);
        if (
          current?.armoured === key.armoured &&
          ["unasked", "waiting", "signed", "recorded"].includes(current.chainState)
        )
          return current;
        const made = await insert(tx, key, hasRegistry ? "waiting" : "unasked");
        if (hasRegistry) await accept(tx, made);
        return made;
      });
    },

    /** Accepts the work for keys that were registered while no registry was configured. Returns how many. */
    async acceptUnasked(limit: number): Promise<number> {
      return db.transaction().execute(async (tx) => {
        const { rows } = await sql<Pick<PgpKey, "id" | "account">>`
          update pgp_keys set chain_state = 'waiting'
          where id in (
            select id from pgp_keys where chain_state = 'unasked'
            order by registered_at limit ${limit} for update skip locked)
          returning id, account`.execute(tx);
        for (const row of rows) await accept(tx, row);
        return rows.length;
      });
    },

    /**
     * Takes a nonce, signs, and keeps the bytes, all or nothing. A key that has a transaction keeps it, unless that one was
     * displaced; a key that was replaced meanwhile gets none. Returns the hash of the row's transaction.
     */
    async signOnce(signing: Signing): Promise<Hex | "replaced"> {
      const { id, chainId, signer, displaced } = signing;
      return db.transaction().execute(async (tx) => {
        // Whoever replaces the key waits here, so of two keys of an account the older has the lower nonce.
        const { rows } = await sql<{ signedHash: Hex | null; isCurrent: boolean }>`
          select signed_hash as "signedHash", replaced_at is null as "isCurrent"
          from pgp_keys where id = ${id} for update`.execute(tx);
        const [row] = rows;
        if (row === undefined) throw new Error("the key is gone");
        if (row.signedHash !== null && row.signedHash !== displaced) return row.signedHash;
        if (!row.isCurrent) return "replaced";
        const nonce = await takeNonce(tx, signing);
        const { bytes, hash } = await signing.sign(nonce);
        await sql`
          update pgp_keys set chain_state = 'signed', chain_id = ${chainId}, signer = ${signer}, nonce = ${nonce},
            signed_transaction = ${bytesOf(bytes)}, signed_hash = ${hash}
          where id = ${id}`.execute(tx);
        return hash;
      });
    },

    async readTransaction(id: string, hash: Hex): Promise<KeptTransaction | undefined> {
      const { rows } = await sql<KeptTransaction>`
        select account, signer, nonce, '0x' || encode(signed_transaction, 'hex') as bytes, signed_hash as hash
        from pgp_keys where id = ${id} and signed_hash = ${hash}`.execute(db);
      return rows[0];
    },

    /** How it ended. What has ended stays as it is. */
    async settle(
      id: string,
      state: "recorded" | "recorded-by-account" | "replaced" | "refused",
    ): Promise<void> {
      await sql`
        update pgp_keys set chain_state = ${state},
          transaction_hash = case when ${state} = 'recorded' then signed_hash end
        where id = ${id} and chain_state in ('waiting', 'signed')`.execute(db);
    },
  };
}
