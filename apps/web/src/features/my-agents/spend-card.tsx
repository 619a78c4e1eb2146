import type { Api, Mandate } from "@countersign/sdk";
import { useState, type JSX } from "react";
import { Card } from "../../components/card.tsx";
import { counted } from "../../lib/format.ts";
import { useNow } from "../../lib/time.ts";
import { SpendChart } from "./spend-chart.tsx";
import { allSeries, amountIn, dailyLimit, type Series } from "./spend-data.ts";

const periods = [7, 30, 90] as const;
export type Period = (typeof periods)[number];

type PeriodProps = { readonly period: Period; readonly onChange: (period: Period) => void };

function Periods({ period, onChange }: PeriodProps): JSX.Element {
  return (
    <div role="group" aria-label="Period" className="flex rounded-lg bg-inset p-1">
      {periods.map((one) => (
        <button
          key={one}
          type="button"
          aria-pressed={one === period}
          onClick={() => {
            onChange(one);
          }}
          className="min-h-9 rounded-md px-3 text-sm font-semibold text-soft hover:text-ink aria-pressed:bg-card aria-pressed:text-ink aria-pressed:shadow-sm"
        >
          {one} days
        </button>
      ))}
    </div>
  );
}

type PickProps = {
  readonly all: readonly Series[];
  readonly chosen: Series;
  readonly onChange: (asset: string) => void;
};

function PickAsset({ all, chosen, onChange }: PickProps): JSX.Element | null {
  if (all.length < 2) return null;
  return (
    <label className="flex items-center gap-2 text-sm text-soft">
      Asset
      <select
        value={chosen.asset}
        onChange={({ target }) => {
          onChange(target.value);
        }}
        className="min-h-11 rounded-lg border border-line bg-page px-2 text-ink"
      >
        {all.map(({ asset, name }) => (
          <option key={asset} value={asset}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

type Props = PeriodProps & {
  readonly agent: Api.AgentDetail;
  readonly mandates: readonly Mandate[];
};

function Shown({ agent, mandates, period }: Omit<Props, "onChange">): JSX.Element {
  const now = useNow(60_000);
  const [asset, setAsset] = useState<string>();
  const all = allSeries(agent.spending, now, period);
  const chosen = all.find((series) => series.asset === asset) ?? all[0];
  if (chosen === undefined) return <p className="text-sm text-soft">Nothing sent in this period.</p>;
  const limits = mandates.filter(({ status }) => status === "ACTIVE").flatMap((mandate) => mandate.limits);
  return (
    <div className="space-y-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p>
          <strong className="text-xl tabular-nums">{amountIn(chosen, chosen.total)}</strong>{" "}
          <span className="text-sm text-soft">
            {chosen.name} in {counted(period, "day")}, {counted(chosen.count, "transaction")}
          </span>
        </p>
        <PickAsset all={all} chosen={chosen} onChange={setAsset} />
      </div>
      <SpendChart series={chosen} limit={dailyLimit(chosen, limits)} />
    </div>
  );
}

/** The amounts that left the account in this agent's executed transactions. */
export function SpendCard({ agent, mandates, period, onChange }: Props): JSX.Element {
  const { uncounted } = agent;
  return (
    <Card title="Spend per day" aside={<Periods period={period} onChange={onChange} />}>
      <Shown agent={agent} mandates={mandates} period={period} />
      {uncounted === 0 ? null : (
        <p className="mt-2 text-sm text-soft">
          {counted(uncounted, "more transaction")} {uncounted === 1 ? "was" : "were"} sent with an amount that
          we don’t know.
        </p>
      )}
    </Card>
  );
}
