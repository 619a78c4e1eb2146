import type { Account } from "../accounts/index.ts";

export const kinds = ["key", "oauth"] as const;
export const statuses = ["ACTIVE", "PAUSED", "EXPIRED", "REVOKED"] as const;

/** One agent of an account, by the credential that it proposes with. */
export type AgentId = {
  readonly account: Account;
  readonly kind: (typeof kinds)[number];
  readonly id: string;
};

/** Returns the name of the credential, as in the `proposer` of a transaction and in mandates. */
export const agentName = ({ kind, id }: Pick<AgentId, "kind" | "id">): string => `${kind}:${id}`;

export type Agent = {
  readonly kind: AgentId["kind"];
  readonly id: string;
  readonly name: string;
  /** The start of the API key. Null for OAuth. */
  readonly prefix: string | null;
  /** Null for API keys. */
  readonly clientId: string | null;
  readonly scopes: readonly string[];
  readonly status: (typeof statuses)[number];
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  readonly pausedAt: Date | null;
};

/** Counts of an agent's proposals since a time. */
export type Figures = {
  readonly proposals: number;
  readonly matches: number;
  readonly undecided: number;
  readonly differs: number;
  readonly byMandate: number;
  readonly executed: number;
};

export const noFigures: Figures = {
  ...{ proposals: 0, matches: 0, undecided: 0, differs: 0, byMandate: 0, executed: 0 },
};
