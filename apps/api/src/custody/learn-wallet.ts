import { newId } from "@countersign/platform/ids";
import type { Log } from "@countersign/platform/log";
import type { Account, WalletStore } from "../accounts/index.ts";
import type { Access, Custodian } from "../adapters/custodian/index.ts";
import type { Completed } from "./integration.ts";
import type { CustodyStore } from "./store.ts";

type Parts = {
  readonly store: Pick<CustodyStore, "noteWallet">;
  readonly wallets: Pick<WalletStore, "register">;
  readonly custodian: Custodian;
  readonly openAccess: (integration: Completed) => Promise<Access>;
  /** Where a vault's address is looked up, in this order. The address is the same on all chains. */
  readonly chainIds: readonly number[];
  readonly log: Log;
};

/** The outcome. Anything but "good" means that the integration cannot send yet. */
export type Learned =
  Awaited<ReturnType<Custodian["check"]>> | "no address" | "another account's" | "changed meanwhile";

/**
 * Checks with a harmless request that the credential opens the vault, and registers the vault's wallet for
 * the account.
 */
export function makeLearnWallet({ store, wallets, custodian, openAccess, chainIds, log }: Parts) {
  // The custodian answers with an error for a chain that it does not support in this environment. Another chain may
  // work.
  const readAddress = async (access: Access): Promise<Account | undefined> => {
    let failure: { readonly cause: unknown } | undefined;
    for (const chainId of chainIds) {
      try {
        const address = await custodian.readAddress(access, chainId);
        if (address !== undefined) return address.toLowerCase() as Account;
      } catch (error) {
        failure = { cause: error };
      }
    }
    if (failure !== undefined) throw new Error("vault address not available", failure);
    return undefined;
  };

  const take = async (integration: Completed, address: Account): Promise<Learned> => {
    const { account, completion } = integration;
    const displayName = `custodian's vault ${completion.vaultAccountId}`;
    const registered = await wallets.register({
      ...{ id: newId(), address, account, displayName },
      keptBy: "custodian",
      providerUserId: null,
    });
    if (registered === undefined) return "another account's";
    return (await store.noteWallet(integration, address)) ? "good" : "changed meanwhile";
  };

  /** Asks the custodian. Any failure counts as unavailable. */
  const ask = async (access: Access): Promise<Learned | { readonly address: Account }> => {
    const checked = await custodian.check(access);
    if (checked !== "good") return checked;
    const address = await readAddress(access);
    return address === undefined ? "no address" : { address };
  };

  return async function learnWallet(integration: Completed): Promise<Learned> {
    const access = await openAccess(integration);
    const told = await ask(access).catch((error: unknown) => {
      log.warn("custodian not reachable for vault lookup", { key: integration.id, error });
      return "unreachable" as const;
    });
    return typeof told === "string" ? told : take(integration, told.address);
  };
}
