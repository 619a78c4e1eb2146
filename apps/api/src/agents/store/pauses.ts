import { sql } from "kysely";
import type { Account } from "../../accounts/index.ts";
import { lockLedger } from "../../mandates/index.ts";
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

export function makePauseStore(db: Db) {
  return {
    isPaused: (of: Parameters<typeof isPaused>[1]) => isPaused(db, of),

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
