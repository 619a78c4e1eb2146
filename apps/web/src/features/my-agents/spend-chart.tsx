import type { JSX } from "react";
import { Disclosure } from "../../components/disclosure.tsx";
import { counted } from "../../lib/format.ts";
import { usePhone } from "../../lib/use-phone.ts";
import {
  amountIn,
  approvals,
  roundUp,
  sumOfDay,
  type Approval,
  type Day,
  type Series,
} from "./spend-data.ts";

const names: Readonly<Record<Approval, string>> = {
  mandate: "Approved by mandate",
  owner: "Approved by you",
  service: "Approved automatically",
};
/** A pattern of light and dark, so that colors are not needed to tell them apart. */
const fills: Readonly<Record<Approval, string>> = {
  mandate: "fill-accent",
  owner: "fill-accent/50",
  service: "fill-open",
};
const swatches: Readonly<Record<Approval, string>> = {
  mandate: "bg-accent",
  owner: "bg-accent/50",
  service: "bg-open",
};

const short = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
const dateOf = (day: string): string => short.format(new Date(`${day}T00:00:00Z`));

const height = 190;
const [top, bottom, left] = [14, 24, 52];

/** Bigints are scaled before they become numbers, which would lose the digits of large amounts. */
const heightOf = (units: bigint, most: bigint): number =>
  (Number((units * 10_000n) / most) / 10_000) * (height - top - bottom);

type BarProps = { readonly day: Day; readonly x: number; readonly width: number; readonly most: bigint };

function Bar({ day, x, width, most }: BarProps): JSX.Element {
  let y = height - bottom;
  return (
    <g>
      {approvals.map((by) => {
        const tall = heightOf(day.units[by], most);
        if (tall === 0) return null;
        y -= tall;
        return <rect key={by} x={x} y={y} width={width} height={tall} rx="1.5" className={fills[by]} />;
      })}
    </g>
  );
}

type ChartProps = { readonly series: Series; readonly limit: bigint | undefined };

/** A phone has its own drawing, because scaled text would be unreadable. */
function Drawing({ series, limit }: ChartProps): JSX.Element {
  const isPhone = usePhone();
  const width = isPhone ? 330 : 640;
  const days = isPhone ? series.days.slice(-14) : series.days;
  const highest = days.map(sumOfDay).reduce((most, sum) => (sum > most ? sum : most), limit ?? 0n);
  const most = roundUp(highest);
  const step = (width - left) / days.length;
  const labelEvery = Math.ceil(days.length / (isPhone ? 3 : 5));
  const lineAt = (units: bigint): number => height - bottom - heightOf(units, most);
  return (
    <svg viewBox={`0 0 ${width} ${height}`} className="w-full" role="img" aria-label={summaryOf(series)}>
      {[0n, most / 2n, most].map((units, index) => (
        <g key={index}>
          <line x1={left} x2={width} y1={lineAt(units)} y2={lineAt(units)} className="stroke-line" />
          <text x={left - 6} y={lineAt(units) + 4} textAnchor="end" className="fill-soft text-[11px]">
            {brief(series, units)}
          </text>
        </g>
      ))}
      {days.map((day, index) => (
        <Bar key={day.day} day={day} most={most} x={left + index * step + step * 0.15} width={step * 0.7} />
      ))}
      {days.map(({ day }, index) =>
        index % labelEvery === 0 ? (
          <text key={day} x={left + index * step} y={height - 6} className="fill-soft text-[11px]">
            {dateOf(day)}
          </text>
        ) : null,
      )}
      {limit === undefined ? null : (
        <g>
          <line
            x1={left}
            x2={width}
            y1={lineAt(limit)}
            y2={lineAt(limit)}
            strokeDasharray="4 3"
            className="stroke-open"
          />
          <text
            x={width}
            y={lineAt(limit) - 4}
            textAnchor="end"
            className="fill-open text-[11px] font-semibold"
          >
            Daily limit {amountIn(series, limit)}
          </text>
        </g>
      )}
    </svg>
  );
}

const compact = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 });

/** A label of the axis, which is rounded. Exact amounts are in the table. */
function brief(series: Series, units: bigint): string {
  const text = amountIn(series, units);
  const value = Number(text.replaceAll(",", ""));
  return value !== 0 && value < 0.01 ? text.slice(0, 7) : compact.format(value);
}

const summaryOf = (series: Series): string => {
  const busy = series.days.filter((day) => sumOfDay(day) > 0n);
  return `Spend per day in ${series.name}: ${amountIn(series, series.total)} on ${counted(busy.length, "day")}. The table has every amount.`;
};

function Amounts({ series }: { readonly series: Series }): JSX.Element {
  const columns = ["Day", ...approvals.map((by) => names[by])];
  return (
    <Disclosure summary="Show as table">
      <div
        className="max-h-72 overflow-auto"
        tabIndex={0}
        role="region"
        aria-label="Spend per day, as a table"
      >
        <table className="w-full text-left text-sm">
          <thead className="text-soft">
            <tr>
              {columns.map((name) => (
                <th key={name} scope="col" className="py-1 pr-4 font-semibold">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {series.days
              .filter((day) => sumOfDay(day) > 0n)
              .map(({ day, units }) => (
                <tr key={day}>
                  <th scope="row" className="py-1 pr-4 font-normal whitespace-nowrap">
                    {dateOf(day)}
                  </th>
                  {approvals.map((by) => (
                    <td key={by} className="py-1 pr-4 tabular-nums">
                      {amountIn(series, units[by])}
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

/** Stacked bars per day, with the same amounts as a table. */
export function SpendChart({ series, limit }: ChartProps): JSX.Element {
  const used = approvals.filter((by) => series.days.some(({ units }) => units[by] > 0n));
  return (
    <figure className="space-y-2">
      <Drawing series={series} limit={limit} />
      <figcaption className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-soft">
        {used.map((by) => (
          <span key={by} className="inline-flex items-center gap-1.5">
            <span aria-hidden className={`size-3 rounded-sm ${swatches[by]}`} />
            {names[by]}
          </span>
        ))}
      </figcaption>
      <Amounts series={series} />
    </figure>
  );
}
