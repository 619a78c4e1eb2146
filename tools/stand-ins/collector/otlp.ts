// The form of an OTLP trace export in JSON. https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding
import { z } from "zod";

const id = (digits: number) => z.string().regex(new RegExp(`^[0-9a-f]{${digits}}$`));
const nanoseconds = z.union([z.string().regex(/^\d+$/), z.number()]).transform(BigInt);

const Value = z.union([
  z.object({ stringValue: z.string() }).transform(({ stringValue }) => stringValue),
  z.object({ intValue: z.union([z.number(), z.string()]) }).transform(({ intValue }) => Number(intValue)),
  z.object({ doubleValue: z.number() }).transform(({ doubleValue }) => doubleValue),
  z.object({ boolValue: z.boolean() }).transform(({ boolValue }) => boolValue),
]);

const Attributes = z
  .array(z.object({ key: z.string(), value: Value }))
  .default([])
  .transform((pairs) => Object.fromEntries(pairs.map(({ key, value }) => [key, value])));

const Span = z.object({
  traceId: id(32),
  spanId: id(16),
  parentSpanId: id(16).optional(),
  name: z.string(),
  kind: z.number().int(),
  startTimeUnixNano: nanoseconds,
  endTimeUnixNano: nanoseconds,
  attributes: Attributes,
  links: z.array(z.object({ traceId: id(32), spanId: id(16) })).default([]),
  status: z.object({ code: z.number().int().default(0) }).default({ code: 0 }),
});

const Export = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: Attributes }),
      scopeSpans: z.array(z.object({ spans: z.array(Span) })),
    }),
  ),
});

export type ReceivedSpan = {
  /** `service.name` of the process that sent it. */
  readonly service: string;
  /** `process.pid` of that process. */
  readonly pid: number;
  readonly traceId: string;
  readonly spanId: string;
  /** Undefined for the first span of a trace. */
  readonly parentId: string | undefined;
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly startMs: number;
  readonly durationMs: number;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly isFailed: boolean;
};

/** Throws if it is not an export of spans. */
export const readExport = (body: unknown): readonly ReceivedSpan[] =>
  Export.parse(body).resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans
      .flatMap(({ spans }) => spans)
      .map(({ parentSpanId: parentId, startTimeUnixNano: start, endTimeUnixNano: end, status, ...span }) => ({
        service: String(resource.attributes["service.name"] ?? ""),
        pid: Number(resource.attributes["process.pid"] ?? 0),
        traceId: span.traceId,
        spanId: span.spanId,
        parentId,
        name: span.name,
        startMs: Number(start) / 1e6,
        durationMs: Number(end - start) / 1e6,
        attributes: span.attributes,
        links: span.links,
        isFailed: status.code === 2,
      })),
  );
