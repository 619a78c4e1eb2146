import type { Account, WalletStore } from "../accounts/index.ts";
import type { Sender } from "../adapters/sender.ts";
import { ProviderRefused, type WalletProvider } from "../adapters/wallet-provider/index.ts";
import type { QuorumType } from "./quorum.ts";
import type { QuorumStore } from "./store.ts";

type Parts = {
  readonly store: Pick<QuorumStore, "find">;
  readonly wallets: Pick<WalletStore, "find" | "findById">;
  /** Undefined if none is configured. Then nothing is sent through one. */
  readonly provider: Pick<WalletProvider, "readWallet" | "openSender"> | undefined;
};

type Place = { readonly account: Account; readonly wallet: Account; readonly type: QuorumType };

/** Returns the wallet if it belongs to the account and our own key controls it. */
export const makeFindWalletToSendFrom = ({ store, wallets, provider }: Parts) =>
  async function findWalletToSendFrom({
    account,
    wallet: address,
    type,
  }: Place): Promise<{ readonly id: string } | undefined> {
    if (provider === undefined) return undefined;
    const wallet = await wallets.find(address);
    if (wallet?.account !== account || wallet.keptBy !== "provider") return undefined;
    return (await store.find(account, type))?.isStatic === true ? { id: wallet.id } : undefined;
  };

/**
 * Returns the sender for a wallet, by its id here. Our key may control wallets of many accounts, and a
 * wallet's id at the provider is its owner's claim, so the provider is asked whether the wallet has this
 * address. Undefined if it does not, or if the provider does not know the id. Throws if the provider
 * cannot be reached.
 */
export const makeOpenSender = ({ store, wallets, provider }: Parts) => {
  /** Whether the account still has a quorum with our key. Sent transactions can be queried without one. */
  const isStillOurs = async (account: Account): Promise<boolean> => {
    const quorums = await Promise.all(
      (["agent", "execution"] as const).map((type) => store.find(account, type)),
    );
    return quorums.some((quorum) => quorum?.isStatic === true);
  };
  return async function openSender(
    walletRowId: string,
    purpose: "send" | "ask",
  ): Promise<Sender | undefined> {
    const wallet = await wallets.findById(walletRowId);
    if (provider === undefined || wallet?.keptBy !== "provider" || wallet.providerUserId === null)
      return undefined;
    if (purpose === "send" && !(await isStillOurs(wallet.account))) return undefined;
    const kept = await provider.readWallet(wallet.providerUserId).catch(noneIfUnknown);
    return kept?.address === wallet.address ? provider.openSender(wallet.providerUserId) : undefined;
  };
};

function noneIfUnknown(error: unknown): undefined {
  if (error instanceof ProviderRefused && error.status === 404) return undefined;
  throw error;
}
