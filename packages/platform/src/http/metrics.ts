import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";

/** Metrics for Prometheus. Labels are route patterns, never URLs, so that their number is bounded. */
export type Metrics = {
  readonly observeRequest: (request: {
    method: string;
    route: string;
    status: number;
    seconds: number;
  }) => void;
  /** A number asked for at each scrape, such as the size of a pool or of a backlog. */
  readonly gauge: (name: string, help: string, read: () => number | Promise<number>) => void;
  /** One number for each value of a label, asked for at each scrape. None if they cannot be read. */
  readonly gaugeBy: (
    name: string,
    help: string,
    label: string,
    read: () => Promise<ReadonlyMap<string, number>>,
  ) => void;
  /** A total that only grows, asked for at each scrape. */
  readonly counter: (name: string, help: string, read: () => number) => void;
  readonly write: () => Promise<string>;
  readonly contentType: string;
};

const makeGaugeBy =
  (registry: Registry): Metrics["gaugeBy"] =>
  (name, help, label, read) => {
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [registry],
      async collect() {
        const numbers = await read().catch(() => new Map<string, number>());
        this.reset();
        for (const [value, number] of numbers) this.set({ [label]: value }, number);
      },
    });
  };

export function makeMetrics(app: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ app });
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: "http_request_duration_seconds",
    help: "How long requests took, by route and status.",
    labelNames: ["method", "route", "status"],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30],
    registers: [registry],
  });
  return {
    observeRequest: ({ method, route, status, seconds }) => {
      requests.observe({ method, route, status }, seconds);
    },
    gauge: (name, help, read) => {
      new Gauge({
        name,
        help,
        registers: [registry],
        async collect() {
          // One number that cannot be had must not cost the operator all the others.
          this.set(await Promise.resolve(read()).catch(() => Number.NaN));
        },
      });
    },
    gaugeBy: makeGaugeBy(registry),
    counter: (name, help, read) => {
      new Counter({
        name,
        help,
        registers: [registry],
        collect() {
          this.reset();
          this.inc(read());
        },
      });
    },
    write: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
