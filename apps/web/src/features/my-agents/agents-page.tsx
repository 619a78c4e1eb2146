import type { Agent } from "@countersign/sdk";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Bot, ChevronRight } from "lucide-react";
import type { JSX } from "react";
import { Badge } from "../../components/badge.tsx";
import { buttonClass } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { Disclosure } from "../../components/disclosure.tsx";
import { Loading } from "../../components/loading.tsx";
import { Meter } from "../../components/meter.tsx";
import { ProblemNotice } from "../../components/notice.tsx";
import { Page } from "../../components/page.tsx";
import { Text } from "../../components/text.tsx";
import { Time } from "../../components/time.tsx";
import { agentsQuery } from "../../lib/agents.ts";
import { counted } from "../../lib/format.ts";
import { autonomyOf } from "./autonomy.ts";
import { MandateRequests } from "./mandate-requests.tsx";
import { mandatesOf, tightestUse } from "./mandate-words.ts";
import { ResultMeter, resultWords } from "./results.tsx";
import { useLimits } from "./use-agents.ts";

const isInUse = ({ status }: Agent): boolean => status === "ACTIVE" || status === "PAUSED";
const sumOf = (agents: readonly Agent[], member: keyof Agent["figures"]): number =>
  agents.reduce((sum, { figures }) => sum + figures[member], 0);

function Tiles({ agents }: { readonly agents: readonly Agent[] }): JSX.Element {
  const tiles = [
    ["Proposals", sumOf(agents, "proposals")],
    ["Executed", sumOf(agents, "executed")],
    ["Approved by mandate", sumOf(agents, "byMandate")],
    ["Blocked", sumOf(agents, "differs")],
  ] as const;
  return (
    <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      {tiles.map(([label, count]) => (
        <div key={label} className="rounded-2xl border border-line bg-card p-4">
          <dt className="text-sm text-soft">{label}</dt>
          <dd>
            <span className="text-2xl font-bold tabular-nums">{count.toLocaleString("en")}</span>{" "}
            <span className="text-xs text-soft">last 30 days</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

type Known = ReturnType<typeof useLimits>;

function Budget({ agent, known }: { readonly agent: Agent; readonly known: Known }): JSX.Element {
  const use = tightestUse(mandatesOf(known.mandates, agent.agent));
  if (use === undefined) return <p className="text-sm text-soft">No mandate</p>;
  const { label, text, share, isReached } = use;
  return (
    <div className="space-y-1.5">
      <p className="text-sm tabular-nums">{text}</p>
      <Meter
        label={`${label}: ${text}`}
        parts={[{ share, className: isReached ? "fill-open" : "fill-accent" }]}
      />
    </div>
  );
}

function Row({ agent, known }: { readonly agent: Agent; readonly known: Known }): JSX.Element {
  const { kind, id, name, prefix, lastUsedAt, figures } = agent;
  const autonomy = autonomyOf(agent, known);
  return (
    <li className="relative grid items-center gap-x-5 gap-y-2 px-4 py-3 hover:bg-inset sm:grid-cols-[minmax(0,1.2fr)_minmax(0,1fr)_minmax(0,1fr)_12.5rem_1rem]">
      <div className="flex min-w-0 items-center gap-3">
        <span className="inline-flex size-10 shrink-0 items-center justify-center rounded-xl bg-inset text-accent">
          <Bot aria-hidden className="size-5" />
        </span>
        <div className="min-w-0">
          <Link
            to="/agents/$kind/$id"
            params={{ kind, id }}
            className="line-clamp-1 font-semibold after:absolute after:inset-0"
          >
            <Text>{name}</Text>
          </Link>
          <p className="line-clamp-1 text-xs text-soft">
            {kind === "key" ? <Text className="font-mono">{`${prefix ?? ""}…`}</Text> : "Connected app"} ·{" "}
            {lastUsedAt === null ? "never used" : <Time at={lastUsedAt} />}
          </p>
        </div>
      </div>
      <Budget agent={agent} known={known} />
      <div className="space-y-1.5">
        <p className="text-sm tabular-nums">{resultWords(figures)}</p>
        <ResultMeter figures={figures} />
      </div>
      <Badge tone={autonomy.tone} className="justify-self-start">
        {autonomy.word}
      </Badge>
      <ChevronRight aria-hidden className="hidden size-4 text-soft sm:block" />
    </li>
  );
}

function List({ agents, known }: { readonly agents: readonly Agent[]; readonly known: Known }): JSX.Element {
  return (
    <ul className="divide-y divide-line rounded-2xl border border-line bg-card">
      {agents.map((agent) => (
        <Row key={agent.agent} agent={agent} known={known} />
      ))}
    </ul>
  );
}

function Shown({ agents }: { readonly agents: readonly Agent[] }): JSX.Element {
  const known = useLimits();
  const [used, gone] = [agents.filter(isInUse), agents.filter((agent) => !isInUse(agent))];
  if (known.isPending) return <Loading what="limits" lines={4} />;
  if (agents.length === 0)
    return (
      <Card>
        <p className="text-sm text-soft">No agents yet. Connect one to get its proposals in your inbox.</p>
      </Card>
    );
  return (
    <>
      {known.error === null ? null : <ProblemNotice title="Couldn’t load the limits" error={known.error} />}
      <MandateRequests />
      <Tiles agents={agents} />
      {used.length === 0 ? (
        <Card>
          <p className="text-sm text-soft">No agents in use.</p>
        </Card>
      ) : (
        <List agents={used} known={known} />
      )}
      <p className="text-sm text-soft">A paused agent can’t propose. Its earlier proposals stay.</p>
      {gone.length === 0 ? null : (
        <Disclosure summary={counted(gone.length, "removed or expired agent")}>
          <List agents={gone} known={known} />
        </Disclosure>
      )}
    </>
  );
}

/** All agents of the owner. */
export function MyAgentsPage(): JSX.Element {
  const { data, error } = useQuery(agentsQuery);
  return (
    <Page
      title="Agents"
      lead="They can propose. None of them can approve for you."
      aside={
        <Link to="/access" className={buttonClass("primary")}>
          Connect an agent
        </Link>
      }
    >
      {error === null ? null : <ProblemNotice title="Couldn’t load your agents" error={error} />}
      {data === undefined ? (
        error === null ? (
          <Loading what="your agents" lines={6} />
        ) : null
      ) : (
        <Shown agents={data} />
      )}
    </Page>
  );
}
