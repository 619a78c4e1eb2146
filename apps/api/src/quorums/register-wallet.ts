import { newId } from "@countersign/platform/ids";
import { shown, type Account, type Wallet, type WalletStore } from "../accounts/index.ts";
import { recoverSigner, type LimitedWallets } from "../adapters/wallets/index.ts";
import { quorumErrors } from "./errors.ts";

type Parts = {
  readonly wallets: Pick<WalletStore, "register">;
  readonly verifyText: LimitedWallets["verifyText"];
  /** The chain on which a contract wallet is looked up. */
  readonly chainId: number;
};

export type NewProviderWallet = {
  readonly account: Account;
  readonly address: Account;
  readonly displayName: string;
  readonly providerUserId: string;
};

/** The proof that an untrusted caller gives. */
export type Proof = { readonly signature: string | undefined; readonly ip: string };

/** Registers a wallet at the provider for the account. Needs a proof, except from a trusted caller. */
export const makeRegisterWallet = ({ wallets, verifyText, chainId }: Parts) => {
  const isSigned = async (wallet: NewProviderWallet, { signature, ip }: Proof): Promise<boolean> => {
    const { account, address } = wallet;
    if (signature === undefined) return false;
    // Plain wallets first, in both spellings, so that they cost no request to a chain.
    const texts = [shown(account), account];
    if (texts.some((text) => recoverSigner(text, signature) === address)) return true;
    for (const text of texts) {
      const verdict = await verifyText({ address, text, signature, chainId, ip });
      if (verdict === "unavailable") throw quorumErrors.walletUnavailable();
      if (verdict === "valid") return true;
    }
    return false;
  };

  return async (wallet: NewProviderWallet, proof: Proof | "vouched for"): Promise<Wallet> => {
    const isOwn = wallet.account === wallet.address;
    if (proof !== "vouched for" && !isOwn && !(await isSigned(wallet, proof)))
      throw quorumErrors.notYourWallet();
    const registered = await wallets.register({ ...wallet, id: newId(), keptBy: "provider" });
    if (registered === undefined) throw quorumErrors.notYourWallet();
    return registered;
  };
};
