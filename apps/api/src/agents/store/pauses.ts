import { sql } from "kysely";
import type { Account } from "../../accounts/index.ts";
import { lockLedger } from "../../mandates/index.ts";
import { gather } from "../../platform/ask-together.ts";
import type { Db } from "../../platform/db/connect.ts";
import { agentName, type AgentId } from "../agent.ts";

/** Whether the owner has paused the agent. */
export async function isPaused(
  tx: Db,
  { account, agent }: { readonly account: Account; readonly agent: string },
): Promise<boolean> {
  const { rows } = await sql`
    select from agent_pauses where account = ${account} and agent = ${agent}`.execute(tx);
  return rows.length > 0;
}

export type PauseStore = ReturnType<typeof makePauseStore>;

type Proposer = Parameters<typeof isPaused>[1];

const addressLength = 42;
/** Unambiguous, because every account has the same length. */
const keyOf = ({ account, agent }: Proposer): string => account + agent;

export function makePauseStore(db: Db) {
  // Batched, because every proposal asks, and never cached: a pause takes effect at once in every process.
  const listPaused = gather(async (keys: readonly string[]) => {
    const { rows } = await sql<Proposer>`
      select account, agent from agent_pauses where (account, agent) in (
        select * from unnest(${keys.map((key) => key.slice(0, addressLength))}::text[],
          ${keys.map((key) => key.slice(addressLength))}::text[]))`.execute(db);
    return new Set(rows.map(keyOf));
  });
  return {
    isPaused: async (of: Proposer): Promise<boolean> => (await listPaused(keyOf(of))).has(keyOf(of)),

    /** Waits for approvals in progress: none takes effect without the owner after this returns. */
    async pause({ account, ...agent }: AgentId): Promise<void> {
      await db.transaction().execute(async (tx) => {
        await lockLedger(tx, account);
        await sql`
          insert into agent_pauses (account, agent) values (${account}, ${agentName(agent)})
          on conflict do nothing`.execute(tx);
      });
    },

    async resume({ account, ...agent }: AgentId): Promise<void> {
      await sql`
        delete from agent_pauses where account = ${account} and agent = ${agentName(agent)}`.execute(db);
    },
  };
}
