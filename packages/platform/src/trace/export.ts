// The only file that loads OpenTelemetry's SDK. It is imported when an exporter is configured.
import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type SpanContext,
} from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type Sampler,
  type SpanExporter,
} from "@opentelemetry/sdk-trace";
import { systemClock } from "../clock.ts";
import type { Log } from "../log/log.ts";
import { allowedAttributes } from "./attributes.ts";
import type { SamplerName } from "./settings.ts";
import type { Recorder, Span } from "./span.ts";
import type { TraceContext } from "./traceparent.ts";

type Options = {
  readonly endpoint: string;
  readonly serviceName: string;
  readonly sampler: SamplerName;
  /** The share that a ratio sampler records. */
  readonly ratio: number;
  readonly everyMs: number;
  readonly log: Log;
};

export type Exporting = {
  readonly record: Recorder;
  /** Sends what is left, within a few seconds. */
  readonly close: () => Promise<void>;
};

function makeSampler(name: SamplerName, ratio: number): Sampler {
  if (name.startsWith("parentbased_"))
    return new ParentBasedSampler({
      root: makeSampler(name.slice("parentbased_".length) as SamplerName, ratio),
    });
  if (name === "always_on") return new AlwaysOnSampler();
  return name === "always_off" ? new AlwaysOffSampler() : new TraceIdRatioBasedSampler(ratio);
}

/** Logs when the collector stops accepting spans, and when it accepts them again; not each time. */
function reportFailures(exporter: SpanExporter, log: Log): SpanExporter {
  let isFailing = false;
  return {
    shutdown: () => exporter.shutdown(),
    export: (spans, done) => {
      exporter.export(spans, (result) => {
        const hasFailed = result.error !== undefined;
        // The reason may contain the collector's address and its answer.
        if (hasFailed && !isFailing) log.warn("spans not accepted by the collector", { count: spans.length });
        if (!hasFailed && isFailing) log.info("spans accepted by the collector again");
        isFailing = hasFailed;
        done(result);
      });
    },
  };
}

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };

const remote = ({ traceId, spanId, isSampled }: TraceContext): SpanContext => ({
  traceId,
  spanId,
  traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
  isRemote: true,
});

const local = ({ traceId, spanId, traceFlags }: SpanContext): TraceContext => ({
  traceId,
  spanId,
  isSampled: (traceFlags & TraceFlags.SAMPLED) !== 0,
});

const closeWithinMs = 3_000;

/** Sends spans to a collector, in the background. While it is down or slow, spans are dropped. */
export function startExport({ endpoint, serviceName, sampler, ratio, everyMs, log }: Options): Exporting {
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces` });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ "service.name": serviceName, "process.pid": process.pid }),
    sampler: makeSampler(sampler, ratio),
    spanProcessors: [
      new BatchSpanProcessor({ exporter: reportFailures(exporter, log), scheduledDelayMillis: everyMs }),
    ],
  });
  const tracer = provider.getTracer("countersign");
  return {
    record: (name, { kind = "internal", attributes = {}, parent, link, ageMs }): Span => {
      const within = parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, remote(parent));
      const span = tracer.startSpan(
        name,
        {
          kind: kinds[kind],
          attributes: allowedAttributes(attributes),
          ...(link === undefined ? {} : { links: [{ context: remote(link) }] }),
          ...(ageMs === undefined ? {} : { startTime: systemClock.now().getTime() - ageMs }),
        },
        within,
      );
      return {
        context: local(span.spanContext()),
        set: (more) => void span.setAttributes(allowedAttributes(more)),
        fail: (type) => {
          span.setAttributes(allowedAttributes({ "error.type": type }));
          span.setStatus({ code: SpanStatusCode.ERROR });
        },
        end: () => {
          span.end();
        },
      };
    },
    close: async () => {
      const late = new Promise<void>((resolve) => setTimeout(resolve, closeWithinMs).unref());
      await Promise.race([provider.shutdown().catch(() => undefined), late]);
    },
  };
}
