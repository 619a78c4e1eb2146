import type { Account } from "../accounts/index.ts";
import type { QuorumStore } from "./store.ts";

/** Returns the account's wallet provider: "none" until it has a quorum. */
export const makeFindWalletProvider =
  ({ store, name }: { readonly store: Pick<QuorumStore, "hasAny">; readonly name: string }) =>
  async (account: Account): Promise<string> =>
    (await store.hasAny(account)) ? name : "none";
