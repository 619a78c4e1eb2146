import { NotFoundError, type Api } from "@countersign/sdk";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import type { JSX } from "react";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { Hex } from "../../components/hex.tsx";
import { Loading } from "../../components/loading.tsx";
import { Notice, ProblemNotice } from "../../components/notice.tsx";
import { Page } from "../../components/page.tsx";
import { Text } from "../../components/text.tsx";
import { Time } from "../../components/time.tsx";
import { isAddress, shortHex } from "../../lib/format.ts";
import { chainName } from "../../lib/chains.ts";
import { MetricsCard } from "./metrics-card.tsx";
import { profileQuery, transactionsQuery } from "./read-agent.ts";
import { StatusBadge, VerdictBadge } from "./badges.tsx";

function Stats({ stats }: Pick<Api.PublicAgent, "stats">): JSX.Element {
  const { total, approvalRate, executed, rejected, undecided, medianVerdictMs: median } = stats;
  const told = [
    ["Proposals", total.toLocaleString("en")],
    ["Match rate", approvalRate === null ? "–" : `${Math.round(approvalRate * 100)} %`],
    ["Differs", rejected.toLocaleString("en")],
    ["Could not be verified", undecided.toLocaleString("en")],
    ["Executed", executed.toLocaleString("en")],
    ["Median check time", median === null ? "–" : `${(median / 1000).toFixed(1)} s`],
  ] as const;
  return (
    <dl className="grid grid-cols-2 gap-3 sm:grid-cols-3">
      {told.map(([name, value]) => (
        <div
          key={name}
          className="flex flex-col-reverse justify-end rounded-2xl border border-line bg-card p-4"
        >
          <dt className="text-xs text-soft">{name}</dt>
          <dd className="text-2xl font-bold tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Transactions({ address }: { readonly address: string }): JSX.Element {
  const { data, error, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    transactionsQuery(address),
  );
  if (data === undefined)
    return error === null ? <Loading what="transactions" /> : <ProblemNotice error={error} />;
  const all = data.pages.flatMap(({ transactions }) => transactions);
  return (
    <Card title="Transactions">
      {all.length === 0 ? <p className="text-sm text-soft">No proposals yet.</p> : null}
      <ul className="divide-y divide-line">
        {all.map(({ requestHash, decision, status, chainId, protocol, createdAt }) => (
          <li key={requestHash}>
            <Link
              to="/agents/$address/transactions/$requestHash"
              params={{ address, requestHash }}
              className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-1 rounded-lg py-3 hover:bg-inset"
            >
              <VerdictBadge decision={decision} />
              <span className="font-mono text-sm">{shortHex(requestHash)}</span>
              <span className="text-sm text-soft">
                {chainName(chainId)}
                {protocol === null ? null : (
                  <>
                    {" · "}
                    <Text>{protocol.replaceAll("_", " ")}</Text>
                  </>
                )}
              </span>
              <span className="ml-auto flex items-center gap-3 text-sm text-soft">
                <StatusBadge status={status} />
                <Time at={createdAt} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {hasNextPage ? (
        <Button className="mt-3 w-full" isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show more
        </Button>
      ) : null}
    </Card>
  );
}

/** An agent's public profile: verdicts, never requests or transactions. */
function NotHere(): JSX.Element {
  return (
    <Page title="Agent not found">
      <Notice tone="none">There’s no account with this address.</Notice>
    </Page>
  );
}

export function AgentPage(): JSX.Element {
  const { address } = useParams({ from: "/agents/$address" });
  return isAddress(address) ? <Profile address={address} /> : <NotHere />;
}

function Profile({ address }: { readonly address: string }): JSX.Element {
  const { data, error } = useQuery(profileQuery(address));
  if (data === undefined && error instanceof NotFoundError) return <NotHere />;
  return (
    <Page
      title={`Agent ${shortHex(address)}`}
      lead={<Hex value={data?.ethereumAddress ?? address} label="address" full />}
      aside={
        data === undefined ? undefined : (
          <span className="text-sm text-soft">
            Joined <Time at={data.since} />
          </span>
        )
      }
    >
      {data === undefined ? (
        error === null ? (
          <Loading what="the profile" />
        ) : (
          <ProblemNotice error={error} />
        )
      ) : (
        <Stats stats={data.stats} />
      )}
      <MetricsCard address={address} />
      <Transactions address={address} />
      <p className="text-xs text-soft">
        Public: hashes, verdicts, protocols and times. Private: requests, amounts and recipients.
      </p>
    </Page>
  );
}
