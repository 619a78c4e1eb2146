import type { Clock } from "@countersign/platform/clock";
import { anyOf, defaultLimits, ok, route, type Route } from "@countersign/platform/http";
import { z } from "zod";
import { contractWalletLimit } from "../adapters/wallets/index.ts";
import { jwt } from "../sign-in/index.ts";
import { signature } from "../signed-requests/index.ts";
import { agentName, kinds, noFigures, type Agent, type AgentId } from "./agent.ts";
import { agentErrors } from "./errors.ts";
import { sumSpending, type Executed } from "./spending.ts";
import type { AgentStore } from "./store/agents.ts";
import type { PauseStore } from "./store/pauses.ts";
import { AgentDetailView, AgentView, agentView, spentView } from "./views.ts";

type Parts = {
  readonly store: AgentStore;
  readonly pauses: Pick<PauseStore, "pause" | "resume">;
  readonly readExecuted: (agent: AgentId, since: Date) => Promise<readonly Executed[]>;
  readonly clock: Clock;
};

const auth = anyOf(jwt, signature);
const tag = "Agents";
const limit = [...defaultLimits, contractWalletLimit];
const params = z.object({ kind: z.enum(kinds), id: z.uuid() });
const dayMs = 24 * 60 * 60 * 1000;
const Period = z.object({
  days: z.coerce.number().int().min(1).max(90).default(30).meta({ description: "The period, up to now." }),
});

async function find({ store }: Parts, id: AgentId): Promise<Agent> {
  const found = await store.find(id);
  if (found === undefined) throw agentErrors.notFound();
  return found;
}

const sinceOf = ({ clock }: Parts, days: number): Date => new Date(clock.now().getTime() - days * dayMs);

const reading = (parts: Parts): readonly Route[] => [
  route({
    method: "GET",
    path: "/agents",
    summary: "List my agents",
    description: "API keys and connected apps with the figures of the period, those in use first.",
    ...{ tag, limit, auth },
    query: Period,
    replies: { 200: z.array(AgentView) },
    handle: async ({ query: { days }, caller: { account } }) => {
      const agents = await parts.store.list(account);
      const figures = await parts.store.readFigures(account, { since: sinceOf(parts, days) });
      return ok(agents.map((agent) => agentView(agent, figures.get(agentName(agent)) ?? noFigures)));
    },
  }),
  route({
    method: "GET",
    path: "/agents/{kind}/{id}",
    summary: "Get an agent",
    description: "With its spending per day: amounts that left the account in final transactions.",
    ...{ tag, limit, auth, params },
    query: Period,
    replies: { 200: AgentDetailView },
    refuses: [agentErrors.notFound],
    handle: async ({ params: named, query: { days }, caller: { account } }) => {
      const [id, since] = [{ account, ...named }, sinceOf(parts, days)];
      const agent = await find(parts, id);
      const figures = await parts.store.readFigures(account, { since, only: id });
      const { spent, uncounted } = sumSpending(await parts.readExecuted(id, since));
      const shown = agentView(agent, figures.get(agentName(id)) ?? noFigures);
      return ok({ ...shown, since: since.toISOString(), spending: spent.map(spentView), uncounted });
    },
  }),
];

const pausing = (parts: Parts): readonly Route[] => {
  const change = async (id: AgentId, to: "pause" | "resume") => {
    await find(parts, id);
    await parts.pauses[to](id);
    const figures = await parts.store.readFigures(id.account, { since: sinceOf(parts, 30), only: id });
    return ok(agentView(await find(parts, id), figures.get(agentName(id)) ?? noFigures));
  };
  return [
    route({
      method: "PUT",
      path: "/agents/{kind}/{id}/pause",
      summary: "Pause an agent",
      description:
        "It cannot propose until it is resumed, and nothing that it proposed before is approved without the owner. Transactions that are approved already stay approved: revoke the mandate to take them back.",
      ...{ tag, limit, auth, params },
      replies: { 200: AgentView },
      refuses: [agentErrors.notFound],
      handle: async ({ params: named, caller: { account } }) => change({ account, ...named }, "pause"),
    }),
    route({
      method: "DELETE",
      path: "/agents/{kind}/{id}/pause",
      summary: "Resume an agent",
      description: "Its mandates count again, with what is left of their limits.",
      ...{ tag, limit, auth, params },
      replies: { 200: AgentView },
      refuses: [agentErrors.notFound],
      handle: async ({ params: named, caller: { account } }) => change({ account, ...named }, "resume"),
    }),
  ];
};

/** For the owner in person. */
export const agentRoutes = (parts: Parts): readonly Route[] => [...reading(parts), ...pausing(parts)];
