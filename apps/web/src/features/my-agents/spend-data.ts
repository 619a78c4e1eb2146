// Spending per day, as the chart and its table show it. Amounts stay bigint until they become heights.
import type { Api } from "@countersign/sdk";
import { assetChain, assetSymbol, isSameAsset } from "../../lib/assets.ts";
import { fromWei } from "../../lib/format.ts";

type Spending = Api.AgentDetail["spending"];

export const approvals = ["mandate", "owner", "service"] as const;
export type Approval = (typeof approvals)[number];
export type Day = { readonly day: string; readonly units: Readonly<Record<Approval, bigint>> };

/** An asset with its days, oldest first, without gaps. */
export type Series = {
  readonly asset: string;
  readonly name: string;
  readonly decimals: number;
  readonly days: readonly Day[];
  readonly total: bigint;
  readonly count: number;
};

const dayMs = 86_400_000;
const none = { mandate: 0n, owner: 0n, service: 0n };

/** The UTC dates of the last days, oldest first. */
const datesUntil = (now: Date, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) =>
    new Date(now.getTime() - (count - 1 - index) * dayMs).toISOString().slice(0, 10),
  );

function seriesOf(asset: string, spending: Spending, dates: readonly string[]): Series {
  const of = spending.filter((one) => one.asset === asset);
  const [first] = of;
  const byDay = Map.groupBy(of, ({ day }) => day);
  const sumOf = (rows: Spending, by: Approval): bigint =>
    rows.filter((row) => row.by === by).reduce((sum, { units }) => sum + BigInt(units), 0n);
  return {
    asset,
    name: `${first?.symbol ?? assetSymbol(asset)} on ${assetChain(asset)}`,
    decimals: first?.decimals ?? 0,
    days: dates.map((day) => {
      const rows = byDay.get(day) ?? [];
      const units = Object.fromEntries(approvals.map((by) => [by, sumOf(rows, by)])) as Day["units"];
      return { day, units: rows.length === 0 ? none : units };
    }),
    total: of.reduce((sum, { units }) => sum + BigInt(units), 0n),
    count: of.reduce((sum, { count }) => sum + count, 0),
  };
}

/** One series for each asset, the most used first. */
export const allSeries = (spending: Spending, now: Date, days: number): readonly Series[] =>
  [...new Set(spending.map(({ asset }) => asset))]
    .map((asset) => seriesOf(asset, spending, datesUntil(now, days)))
    .toSorted((one, other) => other.count - one.count);

export const sumOfDay = ({ units }: Day): bigint => units.mandate + units.owner + units.service;

/** A round number at or above the amount: 1, 2 or 5 times a power of ten. */
export function roundUp(units: bigint): bigint {
  const power = 10n ** BigInt(Math.max(0, units.toString().length - 1));
  return [1n, 2n, 5n, 10n].map((step) => step * power).find((step) => step >= units) ?? power * 10n;
}

/** An amount in whole tokens, exact. */
export const amountIn = ({ decimals }: Pick<Series, "decimals">, units: bigint): string =>
  decimals === 0 ? units.toString() : fromWei(units.toString(), decimals);

type Limit = Pick<Api.MandateLimitUse, "measure" | "span" | "seconds" | "most">;

/** The limit per day for this asset in base units, if a mandate has one. */
export function dailyLimit({ asset, decimals }: Series, limits: readonly Limit[]): bigint | undefined {
  const found = limits.find(
    ({ measure, span, seconds }) =>
      ["period", "rolling"].includes(span) && seconds === 86_400 && isSameAsset(measure, asset),
  );
  if (found === undefined) return undefined;
  const [whole = "0", rest = ""] = found.most.split(".");
  return BigInt(whole + rest.padEnd(decimals, "0").slice(0, decimals));
}
