import { LRUCache } from "lru-cache";
import type { Account, User } from "./account.ts";
import type { AccountStore } from "./store.ts";

const keptAtMost = 10_000;

/**
 * Caches accounts that were found. Their rows are never changed or deleted, so an entry cannot become wrong. An account that
 * is missing is looked up each time, because it may sign up in any process.
 *
 * Not for sign-in: an account that is known there must cost the same statements as one that is not.
 */
export function rememberAccounts({ find }: Pick<AccountStore, "find">): Pick<AccountStore, "find"> {
  const kept = new LRUCache<Account, User>({ max: keptAtMost });
  return {
    find: async (account) => {
      const remembered = kept.get(account);
      if (remembered !== undefined) return remembered;
      const found = await find(account);
      if (found !== undefined) kept.set(account, found);
      return found;
    },
  };
}
