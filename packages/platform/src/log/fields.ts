/**
 * The allow-list of log fields. Other fields are dropped, so that a prompt, a key or a signature cannot reach the log as
 * part of an object. Adding a field is a decision; make it here.
 */
export const logFields = [
  "address",
  "app",
  "attempt",
  "check",
  "count",
  "deployment",
  "durationMs",
  "errorCode",
  "flow",
  "key",
  "method",
  "migration",
  "reason",
  "requestId",
  "route",
  "signal",
  "status",
  "step",
  "version",
] as const;

export type LogFields = Partial<Record<(typeof logFields)[number], string | number | boolean>> & {
  /** Its name, message and stack are logged, and those of its causes; nothing else of it. */
  readonly error?: unknown;
};
