// The time that a limit counts over: a transaction, a fixed or rolling interval, a calendar day, week or month, or everything.
import { z } from "zod";
import { isTimeZone } from "../platform/time-zone.ts";

const calendar = /^(day|week|month) in ([A-Za-z][A-Za-z0-9_+/-]{0,63})$/;

const plain = z.enum(["transaction", "period", "rolling", "total"]);
const onCalendar = z
  .templateLiteral([z.enum(["day", "week", "month"]), " in ", z.string().max(64)])
  .refine((span) => isTimeZone(calendar.exec(span)?.[2] ?? ""), {
    error: "must name an IANA time zone, such as day in Europe/Berlin",
  });

export const Span = z.union([plain, onCalendar]).meta({
  description:
    "`period`: windows of `seconds` from `validFrom`. `rolling`: any interval of `seconds`. `day in Europe/Berlin`: calendar days of a time zone, " +
    "also `week in …` (from Monday) and `month in …`.",
});
export type Span = z.output<typeof Span>;

/** A span as the database stores it. */
export type StoredSpan = {
  readonly span: "transaction" | "period" | "rolling" | "total" | "day" | "week" | "month";
  readonly timeZone: string | null;
};

/** Returns the two parts of a span on the calendar, which are stored apart. */
export function storedSpan(span: Span): StoredSpan {
  const [, unit, timeZone] = calendar.exec(span) ?? [];
  return unit === undefined || timeZone === undefined
    ? { span: plain.parse(span), timeZone: null }
    : { span: unit as "day" | "week" | "month", timeZone };
}

/** Whether the span has a length of its own. */
export const hasSeconds = (span: Span): boolean => span === "period" || span === "rolling";

const units = [
  [86_400, "days"],
  [3600, "hours"],
  [60, "minutes"],
] as const;

function lengthText(seconds: number): string {
  const [size, unit] = units.find(([of]) => seconds % of === 0 && seconds >= 2 * of) ?? [1, "seconds"];
  return `${seconds / size} ${unit}`;
}

const texts: Readonly<Record<string, string>> = {
  transaction: "per transaction",
  period: "per period",
  total: "in total",
};

/** As a sentence says it: "per transaction", "in any 24 hours", "per day in Europe/Berlin". */
export const spanText = ({ span, seconds }: { readonly span: Span; readonly seconds: number }): string =>
  texts[span] ?? (span === "rolling" ? `in any ${lengthText(seconds)}` : `per ${span}`);
