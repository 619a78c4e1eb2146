import type { MandatePreview } from "@countersign/sdk";
import type { JSX } from "react";
import { counted } from "../../lib/format.ts";
import { useNow } from "../../lib/time.ts";
import { outcomes, perDay, type Day, type Outcome } from "./preview-data.ts";

const fills: Readonly<Record<Outcome, string>> = {
  allowed: "fill-good",
  asked: "fill-accent",
  denied: "fill-bad",
};

const [width, height] = [300, 56];
const short = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
const dateOf = (day: string): string => short.format(new Date(`${day}T00:00:00Z`));
const sumOf = ({ counts }: Day): number => outcomes.reduce((sum, outcome) => sum + counts[outcome], 0);

function labelOf(days: readonly Day[]): string {
  const of = (outcome: Outcome): number => days.reduce((sum, { counts }) => sum + counts[outcome], 0);
  const busy = days.filter((day) => sumOf(day) > 0).length;
  const denied = of("denied") === 0 ? "" : `, ${of("denied")} blocked`;
  return `Per day: ${of("allowed")} approved, ${of("asked")} asked you${denied}, on ${counted(busy, "day")}.`;
}

type BarProps = { readonly day: Day; readonly x: number; readonly unit: number; readonly wide: number };

function Bar({ day, x, unit, wide }: BarProps): JSX.Element {
  let y = height;
  return (
    <g>
      {outcomes.map((outcome) => {
        const tall = day.counts[outcome] * unit;
        if (tall === 0) return null;
        y -= tall;
        // A gap separates the parts without their color.
        return (
          <rect
            key={outcome}
            x={x}
            y={y}
            width={wide}
            height={Math.max(1, tall - 1)}
            rx="1"
            className={fills[outcome]}
          />
        );
      })}
    </g>
  );
}

/** Stacked bars per day. The dates are text of the page, since scaled text would be unreadable. */
export function PreviewChart({ decisions }: Pick<MandatePreview, "decisions">): JSX.Element {
  const days = perDay(decisions, useNow(3_600_000));
  const unit = height / Math.max(3, ...days.map(sumOf));
  const step = width / days.length;
  return (
    <figure>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={labelOf(days)} className="w-full">
        <line x1="0" x2={width} y1={height} y2={height} className="stroke-line" />
        {days.map((day, index) => (
          <Bar key={day.day} day={day} x={index * step + step * 0.1} unit={unit} wide={step * 0.8} />
        ))}
      </svg>
      <figcaption className="flex justify-between text-xs text-soft">
        <span>{dateOf(days[0]?.day ?? "")}</span>
        <span>Today</span>
      </figcaption>
    </figure>
  );
}
