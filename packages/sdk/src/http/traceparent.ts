// The trace of the program that uses the client.

/** A W3C `traceparent`, or a function that returns the current one: called before each request. */
export type Traceparent = string | (() => string | undefined);

const wellFormed = /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Returns the header. Empty if there is no well-formed value: tracing never fails a request. */
export function traceHeaders(given: Traceparent | undefined): Readonly<Record<string, string>> {
  try {
    const traceparent = typeof given === "function" ? given() : given;
    return traceparent !== undefined && wellFormed.test(traceparent) ? { traceparent } : {};
  } catch {
    return {};
  }
}
