// The owner's agents: API keys and connected apps, with figures, spending and a pause.
import type { Agent, AgentDetail } from "./generated/api.ts";
import type { Http } from "./http.ts";
import type { RequestOptions } from "./options.ts";

/** An agent by its credential. Both members are in every `Agent`. */
export type AgentRef = Pick<Agent, "kind" | "id">;

/** Options of calls with figures. `days`: the period up to now, 1 to 90. Default: 30. */
export type AgentOptions = RequestOptions & { readonly days?: number };

/** Calls about agents. All need a session. */
export type Agents = {
  /** Lists API keys and connected apps with their figures, those in use first. */
  readonly list: (options?: AgentOptions) => Promise<readonly Agent[]>;
  /** Returns an agent with its spending per day. */
  readonly get: (agent: AgentRef, options?: AgentOptions) => Promise<AgentDetail>;
  /**
   * Pauses an agent: its proposals are refused, and the owner is asked about earlier ones.
   *
   * @example
   * for (const agent of await owner.agents.list()) await owner.agents.pause(agent);
   */
  readonly pause: (agent: AgentRef, options?: RequestOptions) => Promise<Agent>;
  /** Lets a paused agent propose again. */
  readonly resume: (agent: AgentRef, options?: RequestOptions) => Promise<Agent>;
};

export function makeAgents(http: Http): Agents {
  const pathOf = ({ kind, id }: AgentRef): string => `/agents/${kind}/${encodeURIComponent(id)}`;
  return {
    list: async ({ signal, days } = {}) =>
      (await http<readonly Agent[]>("/agents", { query: { days }, signal })).body,
    get: async (agent, { signal, days } = {}) =>
      (await http<AgentDetail>(pathOf(agent), { query: { days }, signal })).body,
    pause: async (agent, { signal } = {}) =>
      (await http<Agent>(`${pathOf(agent)}/pause`, { method: "PUT", signal })).body,
    resume: async (agent, { signal } = {}) =>
      (await http<Agent>(`${pathOf(agent)}/pause`, { method: "DELETE", signal })).body,
  };
}
