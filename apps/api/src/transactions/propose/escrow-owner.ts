import type { Account, AccountStore, WalletStore } from "../../accounts/index.ts";
import type { Hex } from "../transaction.ts";

/** Returns the owner of that escrow address, or undefined. */
export type FindEscrowOwner = (escrow: Hex) => Promise<Account | undefined>;

type Parts = {
  readonly accounts: Pick<AccountStore, "find">;
  readonly wallets: Pick<WalletStore, "find">;
};

/**
 * An escrow is an account's own address or a wallet that is registered to it. The account's own address takes
 * precedence.
 */
export const makeFindEscrowOwner =
  ({ accounts, wallets }: Parts): FindEscrowOwner =>
  async (escrow) =>
    (await accounts.find(escrow))?.account ?? (await wallets.find(escrow))?.account;
