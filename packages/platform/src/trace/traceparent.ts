// The W3C header `traceparent`. Callers choose its value, so everything but its one well-formed shape is ignored.

/** The position in a trace: which trace, which span of it, and whether that span was recorded. */
export type TraceContext = {
  readonly traceId: string;
  readonly spanId: string;
  readonly isSampled: boolean;
};

/** Version 00 only. Ids of zeros are invalid. Of the flags, only the lowest bit has a meaning for us. */
const wellFormed = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;

/** Returns undefined for anything else than exactly one well-formed value. */
export function readTraceparent(value: unknown): TraceContext | undefined {
  if (typeof value !== "string" || value.length !== 55) return undefined;
  const [, traceId, spanId, flags] = wellFormed.exec(value) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

export const writeTraceparent = ({ traceId, spanId, isSampled }: TraceContext): string =>
  `00-${traceId}-${spanId}-${isSampled ? "01" : "00"}`;
