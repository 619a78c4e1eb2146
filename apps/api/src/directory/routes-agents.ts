import { z } from "zod";
import { ok, open, route, type Route } from "@countersign/platform/http";
import { EthereumAddress, shown } from "../accounts/index.ts";
import { statusOfPhase, type Status } from "../transactions/index.ts";
import { directoryErrors } from "./errors.ts";
import { periods } from "./period.ts";
import type { AgentReader } from "./read-agent.ts";
import type { PublicTransaction } from "./store/agents.ts";

const count = z.number().int();

const PublicAgent = z
  .object({
    ethereumAddress: z.string(),
    displayName: z.string().nullable().meta({ description: "Null: names are not supported yet." }),
    since: z.iso.datetime(),
    stats: z.object({
      total: count.meta({ description: "Proposals." }),
      approved: count.meta({ description: "By the verifier, like rejected and undecided." }),
      rejected: count,
      undecided: count,
      executed: count,
      failed: count,
      approvalRate: z.number().nullable().meta({ description: "Share of approved verdicts, 0 to 1." }),
      medianVerdictMs: z
        .number()
        .nullable()
        .meta({ description: "From proposal to verdict, of the last 1,000." }),
    }),
  })
  .meta({ id: "PublicAgent", description: "The public profile of an account, with totals." });

const statuses = [
  "PENDING",
  "APPROVED",
  "REJECTED",
  "EXECUTED",
  "FAILED",
] as const satisfies readonly Status[];

const PublicTransactionView = z
  .object({
    requestHash: z.string(),
    status: z.enum(statuses),
    chainId: z.number(),
    chainWatched: z.boolean().meta({ description: "Whether we watch this chain for executions." }),
    protocol: z.string().nullable(),
    decision: z
      .enum(["APPROVED", "REJECTED", "UNDECIDED"])
      .nullable()
      .meta({ description: "The verifier's decision. Null before its verdict." }),
    executionHash: z
      .string()
      .nullable()
      .meta({ description: "The transaction on the chain, once it is executed." }),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({
    id: "PublicTransaction",
    description: "The public part of a transaction: hashes, status, decisions and times, no content.",
  });

const Named = z.object({ name: z.string(), count });
const PublicMetrics = z
  .object({
    period: z.enum(periods),
    from: z.iso.datetime(),
    to: z.iso.datetime(),
    buckets: z
      .array(
        z.object({
          start: z.iso.datetime(),
          total: count,
          approved: count,
          rejected: count,
          undecided: count,
        }),
      )
      .meta({
        description: "Hours for 24h, otherwise days; months beyond 400 days. UTC.",
      }),
    topProtocols: z.array(Named),
    topFailureNodes: z.array(Named),
  })
  .meta({
    id: "PublicMetrics",
    description: "An account's totals per hour, day or month, and its most used protocols.",
  });

type Parts = {
  readonly agents: AgentReader;
  readonly watchedChains: ReadonlySet<number>;
  readonly baseUrl: string;
};

function viewOf(
  transaction: PublicTransaction,
  { watchedChains }: Parts,
): z.infer<typeof PublicTransactionView> {
  const status = statusOfPhase[transaction.phase];
  return {
    requestHash: transaction.requestHash,
    status,
    chainId: transaction.chainId,
    chainWatched: watchedChains.has(transaction.chainId),
    protocol: transaction.protocol,
    decision: transaction.decision,
    executionHash: status === "EXECUTED" ? transaction.executionHash : null,
    createdAt: transaction.createdAt.toISOString(),
    updatedAt: transaction.updatedAt.toISOString(),
  };
}

const base = { method: "GET", tag: "Public agents", auth: open } as const;
/** The same for every caller, and slightly delayed anyway. */
const cached = { "Cache-Control": "public, max-age=15" };
const params = z.object({ ethereumAddress: EthereumAddress });

const profile = ({ agents }: Parts): Route =>
  route({
    ...base,
    path: "/public/agents/{ethereumAddress}",
    summary: "Get an agent's public profile",
    description:
      "Every account has one unless its owner hides it. It shows outcomes, not the contents of proposals.",
    params,
    replies: { 200: PublicAgent },
    refuses: [directoryErrors.noSuchAgent],
    handle: async ({ params: { ethereumAddress: account } }) => {
      const { since, stats } = await agents.readProfile(account);
      return ok(
        { ethereumAddress: shown(account), displayName: null, since: since.toISOString(), stats },
        cached,
      );
    },
  });

const list = (parts: Parts): Route =>
  route({
    ...base,
    path: "/public/agents/{ethereumAddress}/transactions",
    summary: "List an agent's transactions",
    description: "Newest first. If there are more, `Link` has the next page.",
    params,
    query: z.object({
      limit: z
        .string()
        .regex(/^(?:[1-9]\d?|100)$/, "must be a number from 1 to 100")
        .transform(Number)
        .optional(),
      cursor: z.string().optional(),
    }),
    replies: { 200: z.array(PublicTransactionView) },
    refuses: [directoryErrors.badCursor, directoryErrors.noSuchAgent],
    handle: async ({ params: { ethereumAddress: account }, query: { limit = 100, cursor } }) => {
      const { found, next } = await parts.agents.list(account, { limit, cursor });
      const more = `${parts.baseUrl}/public/agents/${shown(account)}/transactions?limit=${limit}&cursor=${next ?? ""}`;
      return ok(
        found.map((one) => viewOf(one, parts)),
        {
          ...cached,
          ...(next === undefined ? {} : { Link: `<${more}>; rel="next"` }),
        },
      );
    },
  });

const detail = (parts: Parts): Route =>
  route({
    ...base,
    path: "/public/agents/{ethereumAddress}/transactions/{requestHash}",
    summary: "Get one of an agent's transactions",
    params: params.extend({ requestHash: z.string() }),
    replies: { 200: PublicTransactionView },
    refuses: [directoryErrors.noSuchAgent, directoryErrors.noSuchTransaction],
    handle: async ({ params: { ethereumAddress: account, requestHash } }) =>
      ok(viewOf(await parts.agents.readTransaction(account, requestHash), parts), cached),
  });

const metrics = ({ agents }: Parts): Route =>
  route({
    ...base,
    path: "/public/agents/{ethereumAddress}/metrics",
    summary: "Get an agent's statistics over time",
    params,
    query: z.object({ period: z.enum(periods).default("30d") }),
    replies: { 200: PublicMetrics },
    refuses: [directoryErrors.noSuchAgent],
    handle: async ({ params: { ethereumAddress: account }, query: { period } }) => {
      const { from, to, buckets, topProtocols, topFailureNodes } = await agents.readMetrics(account, period);
      return ok(
        {
          period,
          from: from.toISOString(),
          to: to.toISOString(),
          buckets: buckets.map((bucket) => ({ ...bucket, start: bucket.start.toISOString() })),
          topProtocols: [...topProtocols],
          topFailureNodes: [...topFailureNodes],
        },
        cached,
      );
    },
  });

export const agentRoutes = (parts: Parts): readonly Route[] => [
  profile(parts),
  list(parts),
  detail(parts),
  metrics(parts),
];
