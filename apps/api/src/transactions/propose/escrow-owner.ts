import type { Account, AccountStore, WalletStore } from "../../accounts/index.ts";
import type { Hex } from "../transaction.ts";

/** Whose escrow address that is; undefined if nobody's. */
export type FindEscrowOwner = (escrow: Hex) => Promise<Account | undefined>;

type Parts = {
  readonly accounts: Pick<AccountStore, "find">;
  readonly wallets: Pick<WalletStore, "find">;
};

/** An account's own address is its escrow, and so is a wallet that is registered to it. Its own address goes first. */
export const makeFindEscrowOwner =
  ({ accounts, wallets }: Parts): FindEscrowOwner =>
  async (escrow) =>
    (await accounts.find(escrow))?.account ?? (await wallets.find(escrow))?.account;
