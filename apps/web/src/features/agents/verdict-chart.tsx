import type { Api } from "@countersign/sdk";
import { useEffect, useRef, type JSX } from "react";
import UPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { kinds, stackedOf, type Kind } from "./chart-data.ts";

type Props = { readonly buckets: Api.PublicMetrics["buckets"] };

const names: Readonly<Record<Kind, string>> = {
  approved: "Matches",
  rejected: "Differs",
  undecided: "Could not be verified",
};
const colours: Readonly<Record<Kind, string>> = {
  approved: "--good",
  rejected: "--bad",
  undecided: "--open",
};

function draw(place: HTMLElement, buckets: Props["buckets"]): UPlot {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string): string => style.getPropertyValue(name).trim();
  const bars = UPlot.paths.bars?.({ size: [0.8, 40] });
  const axis = {
    stroke: colour("--soft"),
    grid: { stroke: colour("--line"), width: 1 },
    ticks: { show: false },
  };
  return new UPlot(
    {
      ...{ width: place.clientWidth, height: 220, legend: { show: false }, cursor: { show: false } },
      scales: { y: { range: (_, __, most) => [0, Math.max(4, most)] } },
      axes: [axis, { ...axis, size: 40, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000, 10_000] }],
      series: [
        {},
        // Draws the tallest series first, so that shorter ones cover it.
        ...kinds.toReversed().map((kind) => ({
          ...{ label: names[kind], fill: colour(colours[kind]), stroke: colour(colours[kind]), width: 0 },
          ...(bars === undefined ? {} : { paths: bars }),
          points: { show: false },
        })),
      ],
    },
    toDrawn(buckets),
    place,
  );
}

const toDrawn = (buckets: Props["buckets"]): UPlot.AlignedData => {
  const [times, ...rows] = stackedOf(buckets);
  return [times, ...rows.toReversed()];
};

/** A chart of verdicts over time. The table below it has the same data for screen readers. */
export function VerdictChart({ buckets }: Props): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { current } = place;
    if (current === null) return;
    let chart = draw(current, buckets);
    const redraw = (): void => {
      chart.destroy();
      chart = draw(current, buckets);
    };
    const scheme = matchMedia("(prefers-color-scheme: dark)");
    const watch = new ResizeObserver(() => {
      chart.setSize({ width: current.clientWidth, height: 220 });
    });
    watch.observe(current);
    scheme.addEventListener("change", redraw);
    return () => {
      watch.disconnect();
      scheme.removeEventListener("change", redraw);
      chart.destroy();
    };
  }, [buckets]);
  return (
    <figure className="space-y-2">
      <div ref={place} aria-hidden className="w-full overflow-hidden" />
      <figcaption className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-soft">
        {kinds.map((kind) => (
          <span key={kind} className="inline-flex items-center gap-1.5">
            <span aria-hidden className="size-3 rounded-sm" style={{ background: `var(${colours[kind]})` }} />
            {names[kind]}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}
