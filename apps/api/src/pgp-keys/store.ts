import { sql } from "kysely";
import type { Account } from "../accounts/index.ts";
import type { Db } from "../platform/db/connect.ts";
import type { FlowStore } from "../platform/flows/index.ts";
import type { Claim } from "../platform/own-wallet/index.ts";
import { registerKeyAllowanceSeconds, registerKeyFlow, type Hex, type PgpKey } from "./pgp-key.ts";

export type NewPgpKey = Pick<PgpKey, "id" | "account" | "fingerprint" | "armoured"> & {
  readonly signature: Buffer;
  readonly signatureHash: Buffer;
};

const columns = sql`id, account, fingerprint, armoured, '0x' || encode(signature_hash, 'hex') as "signatureHash",
  registered_at as "registeredAt", replaced_at is null as "isCurrent", chain_state as "chainState",
  transaction_hash as "transactionHash"`;
const underWay = sql`chain_state in ('waiting', 'signed')`;

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
  return {
    findCurrent,

    async read(id: string): Promise<PgpKey | undefined> {
      const { rows } = await sql<PgpKey>`select ${columns} from pgp_keys where id = ${id}`.execute(db);
      return rows[0];
    },

    /**
     * Makes this the account's key instead of any earlier one, and accepts the work of recording it if there
     * is a registry. Registering the current key again changes nothing if it is or will be on the chain.
     */
    async register(key: NewPgpKey, { hasRegistry }: { readonly hasRegistry: boolean }): Promise<PgpKey> {
      return db.transaction().execute(async (tx) => {
        // Serialises concurrent registrations of one account.
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
     * Claims the key for signing its transaction. Replacing the key waits for the claim, so of two keys of an
     * account the older has the lower nonce. A key that is already replaced or settled gets no transaction.
     */
    claim(id: string): Claim {
      return async (tx) => {
        const { rows } = await sql<Pick<PgpKey, "account">>`
          update pgp_keys set chain_state = 'signed'
          where id = ${id} and replaced_at is null and ${underWay}
          returning account`.execute(tx);
        return rows[0]?.account;
      };
    },

    /** Marks the key as recorded by this transaction. A settled key does not change. */
    async settleRecorded(id: string, hash: Hex): Promise<void> {
      await sql`
        update pgp_keys set chain_state = 'recorded', transaction_hash = ${hash}
        where id = ${id} and ${underWay}`.execute(db);
    },

    /** Settles a key without a transaction of ours on the chain. A settled key does not change. */
    async settle(id: string, state: "recorded-by-account" | "replaced" | "refused"): Promise<void> {
      await sql`update pgp_keys set chain_state = ${state} where id = ${id} and ${underWay}`.execute(db);
    },
  };
}
