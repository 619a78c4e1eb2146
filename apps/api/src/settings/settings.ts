import { newId } from "@countersign/platform/ids";
import type { Account } from "../accounts/index.ts";
import type { AccountSettings, Choice, SettingsStore } from "./store.ts";

type Parts = { readonly store: SettingsStore };

/** Returns the settings of an existing account, or the defaults if it never set any. */
export const makeReadSettings = ({ store }: Parts) =>
  async function readSettings(account: Account): Promise<AccountSettings> {
    const found = await store.read(account);
    if (found !== undefined) return found;
    await store.ensure(account, newId());
    return readSettings(account);
  };

/** Returns whether anyone may read the account's results. By default, and without settings, anyone may. */
export const makeHasPublicProfile =
  ({ store }: { readonly store: Pick<SettingsStore, "read"> }) =>
  async (account: Account): Promise<boolean> =>
    (await store.read(account))?.publicProfile ?? true;

export const makeSetPublicProfile = ({ store }: Parts) => {
  const readSettings = makeReadSettings({ store });
  return async (account: Account, isPublic: boolean): Promise<AccountSettings> => {
    await store.ensure(account, newId());
    await store.setPublicProfile(account, isPublic);
    return readSettings(account);
  };
};

export const makeChangeSettings = ({ store }: Parts) => {
  const readSettings = makeReadSettings({ store });
  return async (account: Account, choice: Choice): Promise<AccountSettings> => {
    await store.ensure(account, newId());
    await store.change(account, choice);
    return readSettings(account);
  };
};
