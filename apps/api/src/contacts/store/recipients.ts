// Reads the account's executed transactions and its address book for some addresses.
import { sql } from "kysely";
import type { Account } from "../../accounts/index.ts";
import type { Db } from "../../platform/db/connect.ts";
import type { Contact } from "../contact.ts";
import type { LookAlike, PartyHistory, Party } from "../recipient.ts";

type Asked = {
  readonly account: Account;
  /** The transaction that is looked at: only those before it count. */
  readonly transactionId: string;
  readonly parties: readonly Party[];
};

/** More than this would not be read anyway. */
const lookAlikesAtMost = 5;

/** Rows of transactions that were executed before this one, or of all others if it was not executed. */
const before = ({ account, transactionId }: Asked) => sql`
  p.account = ${account} and p.transaction_id <> ${transactionId} and p.executed_at < coalesce(
    (select min(own.executed_at) from executed_parties own where own.transaction_id = ${transactionId}), 'infinity')`;

const asked = ({ parties }: Asked) => sql`
  unnest(${parties.map(({ role }) => role)}::text[], ${parties.map(({ address }) => address)}::text[])
    with ordinality as a (role, address, position)`;

type HistoryRow = Omit<PartyHistory, "contact"> & { readonly name: string | null } & Pick<
    Contact,
    "note" | "createdAt" | "updatedAt"
  >;

function historyOf({ name, note, createdAt, updatedAt, ...row }: HistoryRow): PartyHistory {
  const { address } = row;
  return { ...row, contact: name === null ? null : { address, name, note, createdAt, updatedAt } };
}

export type RecipientStore = ReturnType<typeof makeRecipientStore>;

export function makeRecipientStore(db: Db) {
  return {
    /** One for each of the parties, in their order. */
    async readHistory(of: Asked): Promise<readonly PartyHistory[]> {
      const { rows } = await sql<HistoryRow>`
        select a.address, h.executed, h.by_owner as "byOwner", h.signatures, h.first_at as "firstAt",
          h.last_at as "lastAt", c.name, c.note, c.created_at as "createdAt", c.updated_at as "updatedAt"
        from ${asked(of)}
        left join contacts c on c.account = ${of.account} and c.address = a.address
        cross join lateral (
          select (count(*) filter (where not p.released))::int as executed,
            (count(*) filter (where not p.released and p.by_owner))::int as by_owner,
            (count(*) filter (where p.released))::int as signatures,
            min(p.executed_at) filter (where not p.released) as first_at,
            max(p.executed_at) filter (where not p.released) as last_at
          from executed_parties p
          where p.address = a.address and p.role = a.role and ${before(of)}) h
        order by a.position`.execute(db);
      return rows.map(historyOf);
    },

    /** Known addresses with the same ends as one of the parties: contacts, and parties of earlier transactions. */
    async findLookAlikes(of: Asked): Promise<ReadonlyMap<Account, readonly LookAlike[]>> {
      const { rows } = await sql<LookAlike & { readonly of: Account }>`
        select a.address as of, k.address, k.name, k.executed
        from (select distinct address, substr(address, 3, 4) || right(address, 4) as ends from ${asked(of)}) a
        cross join lateral (
          select coalesce(c.address, e.address) as address, c.name, coalesce(e.executed, 0) as executed
          from (select c.address, c.name from contacts c where c.account = ${of.account} and c.ends = a.ends) c
          full join (select p.address, (count(*) filter (where not p.released))::int as executed
            from executed_parties p where p.ends = a.ends and ${before(of)} group by p.address) e
            on e.address = c.address
          where coalesce(c.address, e.address) <> a.address
          order by c.name is null, executed desc, address limit ${lookAlikesAtMost}) k`.execute(db);
      return Map.groupBy(rows, ({ of: address }) => address);
    },

    /** How many earlier transactions may have paid anyone: part of them is encrypted or could not be read. */
    async countUnknown(of: Asked): Promise<number> {
      const { rows } = await sql<{ readonly count: number }>`
        select count(*)::int as count from executed_parties p where p.address is null and ${before(of)}`.execute(
        db,
      );
      return rows[0]?.count ?? 0;
    },
  };
}
