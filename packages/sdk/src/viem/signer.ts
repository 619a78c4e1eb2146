// Signs with a viem account or wallet client.
import type { Account, LocalAccount, WalletClient } from "viem";
import { CountersignError } from "../errors.ts";
import type { Hex } from "../types.ts";

/** A viem account with its key, or a wallet client. */
export type Wallet = LocalAccount | WalletClient;

type Signer = {
  readonly address: Hex;
  readonly signMessage: (message: string) => Promise<Hex>;
  readonly signTypedData: (data: Parameters<LocalAccount["signTypedData"]>[0]) => Promise<Hex>;
};

export function signerOf(wallet: Wallet): Signer {
  if (!("request" in wallet))
    return {
      address: wallet.address,
      signMessage: (message) => wallet.signMessage({ message }),
      signTypedData: (data) => wallet.signTypedData(data),
    };
  const account = accountOf(wallet);
  return {
    address: account.address,
    signMessage: (message) => wallet.signMessage({ account, message }),
    signTypedData: (data) => wallet.signTypedData({ account, ...data }),
  };
}

export function accountOf(wallet: Pick<WalletClient, "account">): Account {
  if (wallet.account === undefined)
    throw new CountersignError("This wallet client has no account: pass one to createWalletClient");
  return wallet.account;
}
