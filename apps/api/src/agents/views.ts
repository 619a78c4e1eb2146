import { z } from "zod";
import { agentName, kinds, statuses, type Agent, type Figures } from "./agent.ts";
import type { Spent } from "./spending.ts";

const count = (description: string) => z.int().meta({ description });

const FiguresView = z
  .object({
    proposals: count("All proposals."),
    matches: count("With an APPROVED verdict."),
    undecided: count("With an UNDECIDED verdict."),
    differs: count("With a REJECTED verdict."),
    byMandate: count("Approved under a mandate, without the owner."),
    executed: count("Final on their chain."),
  })
  .meta({ id: "AgentFigures", description: "Counts of an agent's proposals in the period." });

const members = {
  agent: z.string().meta({ description: "As in mandates and in a transaction's `agent`." }),
  kind: z.enum(kinds),
  id: z.uuid(),
  name: z.string(),
  prefix: z.string().nullable().meta({ description: "The start of the API key. Null for OAuth." }),
  clientId: z.string().nullable().meta({ description: "The OAuth client. Null for API keys." }),
  scopes: z.array(z.string()),
  status: z.enum(statuses),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable(),
  pausedAt: z.iso.datetime().nullable(),
  figures: FiguresView,
};

export const AgentView = z
  .object(members)
  .meta({ id: "Agent", description: "An API key or a connected app of the account, and its figures." });

const SpentView = z
  .object({
    day: z.iso.date().meta({ description: "The UTC date on which the transactions became final." }),
    by: z.enum(["mandate", "owner", "service"]).meta({
      description: "Approved under a mandate, by the owner, or automatically without either.",
    }),
    asset: z.string().meta({ description: "CAIP-19, with `native` for the chain's own coin." }),
    symbol: z.string().nullable(),
    decimals: z.int().nullable(),
    units: z.string().meta({ description: "In base units." }),
    count: z.int().meta({ description: "How many transactions moved it." }),
  })
  .meta({ id: "AgentSpending", description: "What an agent moved of one asset on one day." });

export const AgentDetailView = z
  .object({
    ...members,
    since: z.iso.datetime().meta({ description: "The start of the period." }),
    spending: z.array(SpentView).meta({ description: "Oldest first. Days without spending are missing." }),
    uncounted: z.int().meta({ description: "Executed transactions whose amounts are not known." }),
  })
  .meta({ id: "AgentDetail", description: "An agent with its spending per day." });

export const agentView = (agent: Agent, figures: Figures): z.infer<typeof AgentView> => ({
  ...agent,
  agent: agentName(agent),
  scopes: [...agent.scopes],
  createdAt: agent.createdAt.toISOString(),
  lastUsedAt: agent.lastUsedAt?.toISOString() ?? null,
  pausedAt: agent.pausedAt?.toISOString() ?? null,
  figures,
});

export const spentView = ({ units, ...rest }: Spent): z.infer<typeof SpentView> => ({
  ...rest,
  units: units.toString(),
});
