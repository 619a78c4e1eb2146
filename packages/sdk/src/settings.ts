// The owner's settings. Every call needs a session.
import type { Http } from "./http.ts";
import type { RequestOptions } from "./options.ts";
import type { Settings } from "./types.ts";

/** Calls about the settings of the account. */
export type SettingsCalls = {
  /** Returns the account's settings. */
  readonly settings: (options?: RequestOptions) => Promise<Settings>;
  /** Changes the execution type of new proposals: 0 DIRECT_USER, 1 USER_EXECUTED, 2 AGENT_EXECUTED. */
  readonly updateSettings: (
    changes: Pick<Settings, "executionType">,
    options?: RequestOptions,
  ) => Promise<Settings>;
};

export const makeSettings = (http: Http): SettingsCalls => ({
  settings: async ({ signal } = {}) => (await http<Settings>("/settings", { signal })).body,
  updateSettings: async ({ executionType }, { signal } = {}) =>
    (await http<Settings>("/settings", { method: "PUT", body: { executionType }, signal })).body,
});
