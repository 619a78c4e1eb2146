// Composition of agents: the owner's view of each credential, and its pause.
import type { Clock } from "@countersign/platform/clock";
import type { Route } from "@countersign/platform/http";
import { agentRoutes } from "../agents/routes.ts";
import { makeAgentStore } from "../agents/store/agents.ts";
import { makePauseStore } from "../agents/store/pauses.ts";
import { readExecuted } from "../agents/store/spending.ts";
import type { Db } from "../platform/db/connect.ts";

type Parts = { readonly db: Db; readonly clock: Clock };

export const makeAgents = ({ db, clock }: Parts): { readonly routes: readonly Route[] } => ({
  routes: agentRoutes({
    store: makeAgentStore(db),
    pauses: makePauseStore(db),
    readExecuted: (agent, since) => readExecuted(db, agent, since),
    clock,
  }),
});
