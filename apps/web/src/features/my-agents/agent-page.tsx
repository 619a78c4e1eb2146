import type { Agent, AgentRef } from "@countersign/sdk";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useState, type JSX } from "react";
import { Badge } from "../../components/badge.tsx";
import { buttonClass } from "../../components/button.tsx";
import { Loading } from "../../components/loading.tsx";
import { ProblemNotice } from "../../components/notice.tsx";
import { Page } from "../../components/page.tsx";
import { Text } from "../../components/text.tsx";
import { Time } from "../../components/time.tsx";
import { agentQuery } from "../../lib/agents.ts";
import { Access, PauseButton } from "./agent-actions.tsx";
import { autonomyOf, outsideLimits } from "./autonomy.ts";
import { Limits } from "./limits.tsx";
import { MandateActions } from "./mandate-actions.tsx";
import { MandateRequests } from "./mandate-requests.tsx";
import { mandatesOf } from "./mandate-words.ts";
import { Recent } from "./recent.tsx";
import { Results } from "./results.tsx";
import { SpendCard, type Period } from "./spend-card.tsx";
import { useLimits } from "./use-agents.ts";

function Crumb(): JSX.Element {
  return (
    <nav aria-label="Breadcrumb" className="text-sm text-soft">
      <Link to="/agents" className="inline-flex min-h-11 items-center underline-offset-4 hover:underline">
        Agents
      </Link>
    </nav>
  );
}

function About({ agent }: { readonly agent: Agent }): JSX.Element {
  return (
    <p className="text-sm">
      {agent.kind === "key" ? (
        <>
          API key <Text className="font-mono">{`${agent.prefix ?? ""}…`}</Text>
        </>
      ) : (
        "Connected app"
      )}{" "}
      · Since <Time at={agent.createdAt} /> ·{" "}
      {agent.lastUsedAt === null ? (
        "Never used"
      ) : (
        <>
          Active <Time at={agent.lastUsedAt} />
        </>
      )}
    </p>
  );
}

const isInUse = ({ status }: Agent): boolean => status === "ACTIVE" || status === "PAUSED";

function NewMandate({ agent }: { readonly agent: Agent }): JSX.Element | null {
  if (!isInUse(agent)) return null;
  return (
    <Link
      to="/agents/$kind/$id/mandate"
      params={{ kind: agent.kind, id: agent.id }}
      className={buttonClass("primary")}
    >
      New mandate
    </Link>
  );
}

function Shown({ named }: { readonly named: AgentRef }): JSX.Element {
  const [period, setPeriod] = useState<Period>(30);
  const { data: agent, error } = useQuery(agentQuery(named, period));
  const known = useLimits();
  if (agent === undefined || known.isPending)
    return (
      <Page title="Agent">
        {error === null ? (
          <Loading what="this agent" lines={6} />
        ) : (
          <ProblemNotice title="Couldn’t load this agent" error={error} />
        )}
      </Page>
    );
  const mandates = mandatesOf(known.mandates, agent.agent);
  const autonomy = autonomyOf(agent, known);
  return (
    <Page
      title={agent.name}
      shown={<Text>{agent.name}</Text>}
      lead={<About agent={agent} />}
      aside={
        <div className="flex flex-wrap items-center gap-2">
          <Badge tone={autonomy.tone}>{autonomy.word}</Badge>
          <PauseButton agent={agent} />
          <NewMandate agent={agent} />
        </div>
      }
    >
      {error === null && known.error === null ? null : (
        <ProblemNotice title="Not up to date" error={error ?? known.error} />
      )}
      <MandateRequests only={agent.agent} />
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="space-y-4">
          <SpendCard agent={agent} mandates={mandates} period={period} onChange={setPeriod} />
          <Recent agent={agent} />
        </div>
        <div className="space-y-4">
          <Limits
            mandates={mandates}
            actionsOf={(mandate) => <MandateActions mandate={mandate} agent={agent} />}
            aside={null}
            note={outsideLimits(agent, known)}
          />
          <Results figures={agent.figures} days={period} />
          <Access agent={agent} />
        </div>
      </div>
    </Page>
  );
}

/** One agent of the owner. */
export function MyAgentPage(): JSX.Element {
  const { kind, id } = useParams({ from: "/agents/$kind/$id" });
  return (
    <>
      <Crumb />
      <Shown key={id} named={{ kind: kind === "oauth" ? "oauth" : "key", id }} />
    </>
  );
}
