// What an owner has chosen. All of it takes a session.
import type { Http } from "./http.ts";
import type { RequestOptions } from "./options.ts";
import type { Settings } from "./types.ts";

export type SettingsCalls = {
  readonly settings: (options?: RequestOptions) => Promise<Settings>;
  /** For what is proposed from now on: 0 DIRECT_USER, 1 USER_EXECUTED, 2 AGENT_EXECUTED. */
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
