// How long requests took, by route and status. The library's histogram sorts and joins the labels of every observation,
// which was a tenth of a request's cost.
import type { Metric } from "prom-client";

type Labels = { readonly method: string; readonly route: string; readonly status: number };
type Series = { readonly labels: Labels; readonly counts: number[]; sum: number };

const name = "http_request_duration_seconds";
/** Upper bounds in seconds. */
const bounds = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30] as const;

export type RequestHistogram = {
  readonly observe: (request: Labels & { readonly seconds: number }) => void;
  /** For the registry that writes it. */
  readonly metric: Metric;
};

/** The lines of one series, with cumulative counts as Prometheus has them. */
function linesOf({ labels, counts, sum }: Series) {
  let upTo = 0;
  const buckets = [...bounds.map(String), "+Inf"].map((le, index) => {
    upTo += counts[index] ?? 0;
    return { labels: { le, ...labels }, value: upTo, metricName: `${name}_bucket` };
  });
  return [
    ...buckets,
    { labels, value: sum, metricName: `${name}_sum` },
    { labels, value: upTo, metricName: `${name}_count` },
  ];
}

/** Labels are route patterns, never URLs, so that the number of series is bounded. */
export function makeRequestHistogram(): RequestHistogram {
  const all = new Map<string, Series>();
  const open = (id: string, labels: Labels): Series => {
    const opened = { labels, counts: new Array<number>(bounds.length + 1).fill(0), sum: 0 };
    all.set(id, opened);
    return opened;
  };
  const metric = {
    name,
    get: async () => ({
      name,
      help: "How long requests took, by route and status.",
      type: "histogram",
      values: [...all.values()].flatMap(linesOf),
      aggregator: "sum",
    }),
    reset: () => {
      all.clear();
    },
  };
  return {
    // The registry calls no other method, and the library's type has no name for that.
    metric: metric as unknown as Metric,
    observe: ({ method, route, status, seconds }) => {
      const id = `${method} ${route} ${status}`;
      const series = all.get(id) ?? open(id, { method, route, status });
      const bucket = bounds.findIndex((bound) => seconds <= bound);
      const at = bucket === -1 ? bounds.length : bucket;
      series.counts[at] = (series.counts[at] ?? 0) + 1;
      series.sum += seconds;
    },
  };
}
