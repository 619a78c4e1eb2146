import { sql } from "kysely";
import type { Account } from "../../accounts/index.ts";
import type { Db } from "../../platform/db/connect.ts";
import type { Contact } from "../contact.ts";
import { nameKeyOf } from "../contact-text.ts";

type Named = Pick<Contact, "address" | "name" | "note">;

export type Saved =
  { readonly outcome: "saved"; readonly contact: Contact } | { readonly outcome: "nameTaken" | "tooMany" };

const columns = sql`address, name, note, created_at as "createdAt", updated_at as "updatedAt"`;

async function upsert(tx: Db, account: Account, { address, name, note }: Named): Promise<Contact> {
  const { rows } = await sql<Contact>`
    insert into contacts (account, address, name, name_key, note)
    values (${account}, ${address}, ${name}, ${nameKeyOf(name)}, ${note})
    on conflict (account, address) do update
      set name = excluded.name, name_key = excluded.name_key, note = excluded.note, updated_at = now()
    returning ${columns}`.execute(tx);
  const [saved] = rows;
  if (saved === undefined) throw new Error("an upsert returned nothing");
  return saved;
}

/** Whether another contact has the name, and how many others there are. */
async function readOthers(tx: Db, account: Account, { address, name }: Named) {
  const { rows } = await sql<{ readonly count: number; readonly isTaken: boolean }>`
    select count(*)::int as count, coalesce(bool_or(name_key = ${nameKeyOf(name)}), false) as "isTaken"
    from contacts where account = ${account} and address <> ${address}`.execute(tx);
  return rows[0] ?? { count: 0, isTaken: false };
}

export type ContactStore = ReturnType<typeof makeContactStore>;

export function makeContactStore(db: Db) {
  return {
    /** By name. */
    async list(account: Account): Promise<readonly Contact[]> {
      const { rows } = await sql<Contact>`
        select ${columns} from contacts where account = ${account} order by name_key, address`.execute(db);
      return rows;
    },

    /** Adds or replaces the contact of an address. Locks the account's row, so that the limits hold for concurrent calls. */
    save: (account: Account, contact: Named, atMost: number): Promise<Saved> =>
      db.transaction().execute(async (tx) => {
        await sql`select from users where account = ${account} for no key update`.execute(tx);
        const { count, isTaken } = await readOthers(tx, account, contact);
        if (isTaken) return { outcome: "nameTaken" };
        if (count >= atMost) return { outcome: "tooMany" };
        return { outcome: "saved", contact: await upsert(tx, account, contact) };
      }),

    /** Returns false if the address is not in the address book. */
    async remove(account: Account, address: Account): Promise<boolean> {
      const { numAffectedRows } = await sql`
        delete from contacts where account = ${account} and address = ${address}`.execute(db);
      return (numAffectedRows ?? 0n) > 0n;
    },
  };
}
