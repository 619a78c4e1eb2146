import { sql } from "kysely";
import { gather } from "../../platform/ask-together.ts";
import type { Db } from "../../platform/db/connect.ts";
import type { Account } from "../account.ts";

/** A wallet that belongs to an account in addition to the account's own address. */
export type Wallet = {
  readonly id: string;
  readonly address: Account;
  readonly account: Account;
  /** Which kind of keeper can send from it. */
  readonly keptBy: "custodian" | "provider";
  readonly displayName: string;
  /** The wallet's id at the wallet provider. Null for a custodian's wallet. */
  readonly providerUserId: string | null;
  readonly createdAt: Date;
};

export type NewWallet = Omit<Wallet, "createdAt">;

const columns = sql`id, address, account, kept_by as "keptBy", display_name as "displayName",
  provider_user_id as "providerUserId", created_at as "createdAt"`;

export type WalletStore = ReturnType<typeof makeWalletStore>;

export function makeWalletStore(db: Db) {
  // Batched: asked about every proposal of a moment.
  const findTogether = gather(async (addresses: readonly Account[]) => {
    const { rows } = await sql<Wallet>`
      select ${columns} from wallets where address = any(${[...addresses]}::text[])`.execute(db);
    return new Map(rows.map((wallet) => [wallet.address, wallet]));
  });
  return {
    find: async (address: Account): Promise<Wallet | undefined> => (await findTogether(address)).get(address),

    async findById(id: string): Promise<Wallet | undefined> {
      const { rows } = await sql<Wallet>`select ${columns} from wallets where id = ${id}`.execute(db);
      return rows[0];
    },

    /**
     * Registers the wallet and returns it. Returns undefined if it belongs to another account: registered to
     * it, or the account's own address. If its own account registers it again, it gets the new name and
     * keeper and keeps its id.
     */
    async register(wallet: NewWallet): Promise<Wallet | undefined> {
      const { id, address, account, keptBy, displayName, providerUserId } = wallet;
      const { rows } = await sql<Wallet>`
        insert into wallets (id, address, account, kept_by, display_name, provider_user_id)
        select ${id}::uuid, ${address}, ${account}, ${keptBy}, ${displayName}, ${providerUserId}
        where not exists (select from users where account = ${address} and account <> ${account})
        on conflict (address) do update
          set kept_by = excluded.kept_by, display_name = excluded.display_name,
            provider_user_id = excluded.provider_user_id
          where wallets.account = excluded.account
        returning ${columns}`.execute(db);
      return rows[0];
    },
  };
}
