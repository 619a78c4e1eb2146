import type { Agent, AgentRef, Mandate, MandateRequest } from "@countersign/sdk";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { lazy, Suspense, useState, type JSX } from "react";
import { Button, buttonClass } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { Loading } from "../../components/loading.tsx";
import { Notice, ProblemNotice } from "../../components/notice.tsx";
import { Page } from "../../components/page.tsx";
import { Text } from "../../components/text.tsx";
import { agentsQuery, mandateRequestsQuery, mandatesQuery } from "../../lib/agents.ts";
import { api } from "../../lib/api.ts";
import { settingsQuery } from "../../lib/settings.ts";
import { useNow } from "../../lib/time.ts";
import { TermFacts } from "./limits.tsx";
import { MandateFields } from "./mandate-fields.tsx";
import { draftOf, emptyFields, fieldsOf, problemsOf, type Fields } from "./mandate-form.ts";
import { chosenOf, MandateReview } from "./mandate-review.tsx";
import { worstCase } from "./mandate-words.ts";
import type { Signing } from "./sign-mandate.tsx";

// Not needed to fill in the form.
const MandatePreview = lazy(async () => ({
  default: (await import("./mandate-preview.tsx")).MandatePreview,
}));

const asks = [
  ["It couldn’t be verified", "You decide what we can’t check"],
  ["It’s outside of these limits", "Another recipient, asset or action, or not enough left"],
  ["It repeats a payment", "Within the time that you chose in Settings"],
  ["Your policy says so", "Rules that you signed come first"],
] as const;

function StillAsks(): JSX.Element {
  return (
    <Card title="You’re still asked when">
      <ul className="divide-y divide-line text-sm">
        {asks.map(([what, why]) => (
          <li key={what} className="py-2">
            <p className="font-semibold">{what}</p>
            <p className="text-soft">{why}</p>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** A mandate does nothing while the owner approves everything. */
function ModeNotice(): JSX.Element | null {
  const { data } = useQuery(settingsQuery);
  if (data === undefined || data.executionType === 2) return null;
  return (
    <Notice tone="open" title="You approve everything at the moment">
      A mandate counts only while matches are approved and sent automatically. Change that in{" "}
      <Link to="/settings" className="font-semibold text-accent underline">
        Settings
      </Link>
      .
    </Notice>
  );
}

type PreviewProps = { readonly draft: Signing["draft"] | undefined; readonly against?: string | undefined };

function Preview({ draft, against }: PreviewProps): JSX.Element {
  return (
    <Suspense
      fallback={
        <Card>
          <Loading what="the preview" lines={4} />
        </Card>
      }
    >
      <MandatePreview draft={draft} against={against} />
    </Suspense>
  );
}

type ReviewCardProps = {
  readonly worst: string | undefined;
  readonly onReview: () => void;
  readonly children?: JSX.Element;
};

function ReviewCard({ worst, onReview, children }: ReviewCardProps): JSX.Element {
  return (
    <Card>
      <div className="space-y-3">
        {worst === undefined ? null : (
          <p className="text-sm text-soft">
            Worst case, if the agent is taken over: <strong className="text-ink">{worst}</strong>.
          </p>
        )}
        <div className="grid gap-2">
          <Button look="primary" onClick={onReview}>
            Review and sign
          </Button>
          {children}
        </div>
        <p className="text-xs text-soft">Your wallet signs the mandate. You can end it at any time.</p>
      </div>
    </Card>
  );
}

type Common = { readonly agent: Agent; readonly onReview: (signing: Signing) => void };

function Editing({
  agent,
  replaced,
  onReview,
}: Common & { readonly replaced: Mandate | undefined }): JSX.Element {
  const now = useNow(60_000);
  const known = replaced === undefined ? undefined : fieldsOf(replaced.terms as never);
  const [fields, setFields] = useState<Fields>(known ?? emptyFields(now));
  const [hasTried, setTried] = useState(false);
  const problems = problemsOf(fields, now);
  const isGood = Object.keys(problems).length === 0;
  // The purpose limits nothing, so the preview does not wait for it.
  const isPreviewed = Object.keys(problems).every((field) => field === "purpose");
  const signing: Signing = { draft: draftOf(fields, agent.agent), replaces: replaced?.id };
  return (
    <>
      <div className="space-y-4">
        <Card title="What it may do">
          {replaced !== undefined && known === undefined ? (
            <Notice tone="open" title="The present mandate has terms that this form doesn’t have">
              A new one replaces it as a whole.
            </Notice>
          ) : null}
          <MandateFields
            agentName={agent.name}
            fields={fields}
            problems={hasTried ? problems : {}}
            onChange={(changes) => {
              setFields({ ...fields, ...changes });
            }}
          />
        </Card>
        <StillAsks />
      </div>
      <div className="space-y-4">
        <Preview draft={isPreviewed ? signing.draft : undefined} against={replaced?.id} />
        <ReviewCard
          worst={isGood ? worstCase(chosenOf(signing)) : undefined}
          onReview={() => {
            setTried(true);
            if (isGood) onReview(signing);
          }}
        >
          {hasTried && !isGood ? (
            <p role="status" className="text-sm font-medium text-bad">
              Some fields need a change first.
            </p>
          ) : (
            <></>
          )}
        </ReviewCard>
      </div>
    </>
  );
}

function Asked({ agent, request, onReview }: Common & { readonly request: MandateRequest }): JSX.Element {
  const client = useQueryClient();
  const navigate = useNavigate();
  const signing: Signing = { draft: request.draft as Signing["draft"], requestId: request.id };
  const decline = useMutation({
    mutationFn: () => api.mandates.close(request.id),
    onSuccess: () => navigate({ to: "/agents/$kind/$id", params: { kind: agent.kind, id: agent.id } }),
    onSettled: () => client.invalidateQueries({ queryKey: mandateRequestsQuery.queryKey }),
  });
  return (
    <>
      <div className="space-y-4">
        <Card title="What it asks for">
          <TermFacts chosen={chosenOf(signing)} validUntil={request.draft.validUntil} />
        </Card>
        <StillAsks />
      </div>
      <div className="space-y-4">
        <Preview draft={signing.draft} />
        <ReviewCard
          worst={worstCase(chosenOf(signing))}
          onReview={() => {
            onReview(signing);
          }}
        >
          <>
            <Button
              isBusy={decline.isPending}
              onClick={() => {
                decline.mutate();
              }}
            >
              Decline
            </Button>
            {decline.error === null ? null : (
              <ProblemNotice title="Couldn’t decline the request" error={decline.error} />
            )}
          </>
        </ReviewCard>
      </div>
    </>
  );
}

type ShownProps = {
  readonly agent: Agent;
  readonly request: MandateRequest | undefined;
  readonly replaced: Mandate | undefined;
};

function Shown({ agent, request, replaced }: ShownProps): JSX.Element {
  const navigate = useNavigate();
  const [signing, setSigning] = useState<Signing>();
  return (
    <>
      <ModeNotice />
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
        {request === undefined ? (
          <Editing agent={agent} replaced={replaced} onReview={setSigning} />
        ) : (
          <Asked agent={agent} request={request} onReview={setSigning} />
        )}
      </div>
      <MandateReview
        signing={signing}
        onClose={() => {
          setSigning(undefined);
        }}
        onGranted={() => {
          void navigate({ to: "/agents/$kind/$id", params: { kind: agent.kind, id: agent.id } });
        }}
      />
    </>
  );
}

type Wanted = { readonly request: string; readonly replaces: string };

/** Waits for everything that the form starts from. */
function Loaded({ named, wanted }: { readonly named: AgentRef; readonly wanted: Wanted }): JSX.Element {
  const queries = [useQuery(agentsQuery), useQuery(mandatesQuery), useQuery(mandateRequestsQuery)] as const;
  const [agents, mandates, requests] = queries;
  const agent = agents.data?.find(({ kind, id }) => kind === named.kind && id === named.id);
  const request = requests.data?.find(({ id }) => id === wanted.request);
  const replaced = mandates.data?.find(({ id }) => id === wanted.replaces);
  const error = queries.find((query) => query.error !== null)?.error;
  if (queries.some(({ isPending }) => isPending)) return <Loading what="this agent" lines={6} />;
  if (error != null) return <ProblemNotice title="Couldn’t load this page" error={error} />;
  if (agent === undefined)
    return (
      <Notice tone="open" title="Agent not found">
        It may have been removed.
      </Notice>
    );
  if (wanted.request !== "" && request === undefined)
    return (
      <Notice tone="open" title="This request is closed">
        You decided on it, or the agent took it back.
      </Notice>
    );
  return <Shown agent={agent} request={request} replaced={replaced} />;
}

/** Grants, changes or declines a mandate. */
export function MandatePage(): JSX.Element {
  const { kind, id } = useParams({ from: "/agents/$kind/$id/mandate" });
  const { request = "", replaces = "" } = useSearch({ from: "/agents/$kind/$id/mandate" });
  const named: AgentRef = { kind: kind === "oauth" ? "oauth" : "key", id };
  const agent = useQuery(agentsQuery).data?.find((one) => one.kind === named.kind && one.id === id);
  return (
    <Page
      title="Mandate"
      shown={
        agent === undefined ? (
          "Mandate"
        ) : (
          <>
            Mandate for <Text>{agent.name}</Text>
          </>
        )
      }
      lead="What it may do without asking you. Everything else still needs you."
      aside={
        <Link to="/agents/$kind/$id" params={{ kind, id }} className={buttonClass("plain")}>
          Back to the agent
        </Link>
      }
    >
      <Loaded named={named} wanted={{ request, replaces }} />
    </Page>
  );
}
