import { collectDefaultMetrics, Counter, Gauge, Registry } from "prom-client";
import { makeRequestHistogram, type RequestHistogram } from "./request-histogram.ts";

type NumberOf = readonly [values: string | readonly string[], number: number];

/** Metrics for Prometheus. Labels are route patterns, never URLs, so that their number is bounded. */
export type Metrics = {
  readonly observeRequest: RequestHistogram["observe"];
  /** A number asked for at each scrape, such as the size of a pool or of a backlog. */
  readonly gauge: (name: string, help: string, read: () => number | Promise<number>) => void;
  /**
   * One number for each value of a label, or of several labels, whose values are then in the same order. Asked for at
   * each scrape. None if they cannot be read.
   */
  readonly gaugeBy: (
    name: string,
    help: string,
    label: string | readonly string[],
    read: () => Promise<Iterable<NumberOf>>,
  ) => void;
  /** A total that only grows, asked for at each scrape. */
  readonly counter: (name: string, help: string, read: () => number) => void;
  readonly write: () => Promise<string>;
  readonly contentType: string;
};

const makeGaugeBy =
  (registry: Registry): Metrics["gaugeBy"] =>
  (name, help, label, read) => {
    const labelNames = [label].flat();
    new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      async collect() {
        const numbers: Iterable<NumberOf> = await read().catch(() => []);
        this.reset();
        for (const [values, number] of numbers) {
          const given = [values].flat();
          this.set(Object.fromEntries(labelNames.map((name, index) => [name, given[index] ?? ""])), number);
        }
      },
    });
  };

export function makeMetrics(app: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ app });
  collectDefaultMetrics({ register: registry });
  const requests = makeRequestHistogram();
  registry.registerMetric(requests.metric);
  return {
    observeRequest: requests.observe,
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
