import type { Api } from "@countersign/sdk";
import { useQuery } from "@tanstack/react-query";
import { Tabs } from "radix-ui";
import { lazy, Suspense, useState, type JSX } from "react";
import { Card } from "../../components/card.tsx";
import { Disclosure } from "../../components/disclosure.tsx";
import { Loading } from "../../components/loading.tsx";
import { ProblemNotice } from "../../components/notice.tsx";
import { Text } from "../../components/text.tsx";
import { counted, exactTime } from "../../lib/format.ts";
import { isEmpty } from "./chart-data.ts";
import { metricsQuery, periods, type Period } from "./read-agent.ts";

const VerdictChart = lazy(async () => ({ default: (await import("./verdict-chart.tsx")).VerdictChart }));

const names: Readonly<Record<Period, string>> = {
  "24h": "24 hours",
  "7d": "7 days",
  "30d": "30 days",
  all: "All",
};

function Numbers({ buckets }: Pick<Api.PublicMetrics, "buckets">): JSX.Element {
  return (
    <Disclosure summary="Show as table">
      <div
        className="max-h-72 overflow-auto"
        tabIndex={0}
        role="region"
        aria-label="Results over time, as a table"
      >
        <table className="w-full text-left text-sm">
          <thead className="text-soft">
            <tr>
              {["From", "Matches", "Differs", "Could not be verified"].map((name) => (
                <th key={name} scope="col" className="py-1 pr-4 font-semibold">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {buckets
              .filter(({ total }) => total > 0)
              .map(({ start, approved, rejected, undecided }) => (
                <tr key={start}>
                  <th scope="row" className="py-1 pr-4 font-normal">
                    {exactTime(new Date(start))}
                  </th>
                  {[approved, rejected, undecided].map((count, index) => (
                    <td key={index} className="py-1 pr-4 tabular-nums">
                      {count}
                    </td>
                  ))}
                </tr>
              ))}
          </tbody>
        </table>
      </div>
    </Disclosure>
  );
}

type TopProps = {
  readonly title: string;
  readonly named: Api.PublicMetrics["topProtocols"];
  readonly none: string;
};

function Top({ title, named, none }: TopProps): JSX.Element {
  const most = Math.max(1, ...named.map(({ count }) => count));
  return (
    <div>
      <h3 className="mb-2 text-sm font-semibold">{title}</h3>
      {named.length === 0 ? (
        <p className="text-sm text-soft">{none}</p>
      ) : (
        <ol className="space-y-1 text-sm">
          {named.map(({ name, count }) => (
            <li key={name}>
              <span className="flex justify-between gap-3">
                <Text>{name.replace(/^[a-z_]+\./, "").replaceAll("_", " ")}</Text>
                <span className="tabular-nums">{counted(count, "time")}</span>
              </span>
              <span aria-hidden className="block h-1.5 rounded bg-inset">
                <span
                  className="block h-full rounded bg-accent"
                  style={{ width: `${(count / most) * 100}%` }}
                />
              </span>
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}

function Measured({ address, period }: { readonly address: string; readonly period: Period }): JSX.Element {
  const { data, error } = useQuery(metricsQuery(address, period));
  if (data === undefined)
    return error === null ? <Loading what="metrics" /> : <ProblemNotice error={error} />;
  if (isEmpty(data.buckets)) return <p className="py-6 text-sm text-soft">No checks in this period.</p>;
  return (
    <div className="space-y-5">
      <Suspense fallback={<Loading what="the chart" />}>
        <VerdictChart buckets={data.buckets} />
      </Suspense>
      <Numbers buckets={data.buckets} />
      <div className="grid gap-5 sm:grid-cols-2">
        <Top title="Top protocols" named={data.topProtocols} none="No protocols used." />
        <Top title="Flagged most" named={data.topFailureNodes} none="Nothing flagged." />
      </div>
    </div>
  );
}

/** Verdicts on this agent's proposals over time. */
export function MetricsCard({ address }: { readonly address: string }): JSX.Element {
  const [period, setPeriod] = useState<Period>("30d");
  return (
    <Card title="Results over time">
      <Tabs.Root
        value={period}
        onValueChange={(value) => {
          setPeriod(value as Period);
        }}
      >
        <Tabs.List aria-label="Period" className="mb-4 flex gap-1">
          {periods.map((one) => (
            <Tabs.Trigger
              key={one}
              value={one}
              className="min-h-11 rounded-lg px-3 text-sm font-semibold text-soft hover:bg-inset data-[state=active]:bg-inset data-[state=active]:text-ink"
            >
              {names[one]}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        {periods.map((one) => (
          <Tabs.Content key={one} value={one}>
            <Measured address={address} period={one} />
          </Tabs.Content>
        ))}
      </Tabs.Root>
    </Card>
  );
}
