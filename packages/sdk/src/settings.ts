// The owner's settings. Every call needs a session.
import type { Http } from "./http.ts";
import type { RequestOptions } from "./options.ts";
import type { Settings } from "./types.ts";

/** Calls about the settings of the account. */
export type SettingsCalls = {
  /** Returns the account's settings. */
  readonly settings: (options?: RequestOptions) => Promise<Settings>;
  /**
   * Changes the execution type of new proposals: 0 DIRECT_USER, 1 USER_EXECUTED, 2 AGENT_EXECUTED. With type 2, an agent that
   * proposes the same payment again within `repeatWindowSeconds` needs the owner; unchanged if omitted, 0 turns it off.
   *
   * @example
   * await owner.updateSettings({ executionType: 2, repeatWindowSeconds: 7 * 86_400 });
   */
  readonly updateSettings: (
    changes: Pick<Settings, "executionType"> & Partial<Pick<Settings, "repeatWindowSeconds">>,
    options?: RequestOptions,
  ) => Promise<Settings>;
  /**
   * Shows or hides the account's public profile. While it is hidden, `/public/agents` answers as for an unknown account. Changes
   * nothing else.
   *
   * @example
   * await owner.setPublicProfile(false);
   */
  readonly setPublicProfile: (isPublic: boolean, options?: RequestOptions) => Promise<Settings>;
};

export const makeSettings = (http: Http): SettingsCalls => ({
  settings: async ({ signal } = {}) => (await http<Settings>("/settings", { signal })).body,
  updateSettings: async ({ executionType, repeatWindowSeconds }, { signal } = {}) => {
    const body = { executionType, ...(repeatWindowSeconds === undefined ? {} : { repeatWindowSeconds }) };
    return (await http<Settings>("/settings", { method: "PUT", body, signal })).body;
  },
  setPublicProfile: async (publicProfile, { signal } = {}) =>
    (await http<Settings>("/settings", { method: "PATCH", body: { publicProfile }, signal })).body,
});
