import type { Account, AccountStore } from "../accounts/index.ts";
import type { Hex } from "./transaction.ts";

/** Whose escrow address that is; undefined if nobody's. */
export type FindEscrowOwner = (escrow: Hex) => Promise<Account | undefined>;

/** An account's own address is its escrow. Wallets that are registered to an account are to be looked up here, too. */
export const makeFindEscrowOwner =
  ({ accounts }: { readonly accounts: Pick<AccountStore, "find"> }): FindEscrowOwner =>
  async (escrow) =>
    (await accounts.find(escrow))?.account;
