// Spans of the current asynchronous call. Without an exporter no span is made: a context that arrived is passed on
// unchanged, so that logs still have its ids, and everything else costs one lookup.
import { AsyncLocalStorage } from "node:async_hooks";
import type { Attributes } from "./attributes.ts";
import { writeTraceparent, type TraceContext } from "./traceparent.ts";

export type Span = {
  readonly context: TraceContext;
  readonly set: (attributes: Attributes) => void;
  /** Marks it as failed. `type` is the name of a class of errors, never a message. */
  readonly fail: (type: string) => void;
  readonly end: () => void;
};

type SpanKind = "server" | "client" | "internal";

export type SpanOptions = {
  readonly kind?: SpanKind;
  readonly attributes?: Attributes;
  /** The span it is part of. Without it, it begins a trace. */
  readonly parent?: TraceContext | undefined;
  /** A related span of another trace. */
  readonly link?: TraceContext | undefined;
  /** How long ago it began, in milliseconds. Now if absent. */
  readonly ageMs?: number;
};

/** Makes spans that are exported. */
export type Recorder = (name: string, options: SpanOptions) => Span;

let recorder: Recorder | undefined;

/** Records spans from now on, or none if undefined. */
export function setRecorder(next: Recorder | undefined): void {
  recorder = next;
}

/** Whether spans are exported. */
export const isRecording = (): boolean => recorder !== undefined;

const active = new AsyncLocalStorage<Span>();
const nothing = (): void => undefined;

/** Returns undefined if spans are not recorded and there is no context to pass on. */
export function openSpan(name: string, options: SpanOptions = {}): Span | undefined {
  if (recorder !== undefined) return recorder(name, options);
  const { parent } = options;
  return parent && { context: parent, set: nothing, fail: nothing, end: nothing };
}

/** Runs something with the span as the current one. */
export const withSpan = <T>(span: Span | undefined, run: () => T): T =>
  span === undefined ? run() : active.run(span, run);

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : "Thrown");

async function runAndEnd<T>(span: Span | undefined, run: (span: Span | undefined) => Promise<T>): Promise<T> {
  if (span === undefined) return run(undefined);
  try {
    return await active.run(span, () => run(span));
  } catch (error) {
    span.fail(nameOf(error));
    throw error;
  } finally {
    span.end();
  }
}

/** Runs something as a part of the current trace. Outside of a trace it only runs. */
export function inSpan<T>(
  name: string,
  options: Omit<SpanOptions, "parent" | "link">,
  run: (span: Span | undefined) => Promise<T>,
): Promise<T> {
  const parent = active.getStore()?.context;
  if (parent === undefined) return run(undefined);
  return runAndEnd(openSpan(name, { ...options, parent }), run);
}

/** Runs something as a part of a trace that began elsewhere or earlier. Without `parent`, begins a trace. */
export const inTrace = <T>(
  name: string,
  options: SpanOptions,
  run: (span: Span | undefined) => Promise<T>,
): Promise<T> => runAndEnd(openSpan(name, options), run);

/** Runs something that belongs to several traces, with a span in each. The current span stays as it is. */
export async function inTraces<T>(
  name: string,
  parents: readonly TraceContext[],
  attributes: Attributes,
  run: () => Promise<T>,
): Promise<T> {
  const spans = parents.flatMap((parent) => openSpan(name, { parent, attributes }) ?? []);
  if (spans.length === 0) return run();
  try {
    return await run();
  } catch (error) {
    for (const span of spans) span.fail(nameOf(error));
    throw error;
  } finally {
    for (const span of spans) span.end();
  }
}

/** Adds to the current span. */
export function annotateSpan(attributes: Attributes): void {
  active.getStore()?.set(attributes);
}

/** The ids of the current span, for log lines. */
export const currentTrace = (): TraceContext | undefined => active.getStore()?.context;

/** The header value that continues the current trace. */
export function currentTraceparent(): string | undefined {
  const context = currentTrace();
  return context && writeTraceparent(context);
}
