import { z } from "zod";
import { text, webAddress, wholeNumber } from "../config/index.ts";

const samplers = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;
export type SamplerName = (typeof samplers)[number];

/** The standard settings of OpenTelemetry that every service has. */
export const traceSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: webAddress()
    .optional()
    .describe(
      "OpenTelemetry collector that spans are sent to, by OTLP over HTTP in JSON, at /v1/traces below this URL. Without it no span is recorded.",
    ),
  OTEL_EXPORTER_OTLP_HEADERS: text()
    .regex(/^[^=,\s]+=[^,]*(,[^=,]+=[^,]*)*$/, "must be name=value, separated by commas")
    .optional()
    .meta({ secret: true, description: "Headers for the collector, as name=value, separated by commas." }),
  OTEL_SERVICE_NAME: text()
    .optional()
    .describe("Name of the service in traces. Default: countersign- and the name of the app."),
  OTEL_TRACES_SAMPLER: z
    .enum(samplers)
    .default("parentbased_always_on")
    .describe(
      "Which traces are recorded. parentbased_: a trace that began elsewhere is recorded if its caller records it.",
    ),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(1)
    .describe("The share of traces that a traceidratio sampler records."),
  OTEL_BSP_SCHEDULE_DELAY: wholeNumber()
    .min(1)
    .default(5_000)
    .describe("How often spans are sent to the collector, in milliseconds."),
};

export type TraceConfig = z.output<z.ZodObject<typeof traceSettings>>;
