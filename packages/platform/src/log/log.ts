import { pino, type DestinationStream, type Logger } from "pino";
import { currentTrace } from "../trace/span.ts";
import { logFields, type LogFields } from "./fields.ts";
import { redact } from "./redact.ts";

export type Log = {
  readonly debug: (message: string, fields?: LogFields) => void;
  readonly info: (message: string, fields?: LogFields) => void;
  readonly warn: (message: string, fields?: LogFields) => void;
  readonly error: (message: string, fields?: LogFields) => void;
};

export const logLevels = ["debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

type ErrorLine = {
  readonly name: string;
  readonly message: string;
  readonly stack?: string;
  readonly cause?: ErrorLine;
};

/** Name, message and stack, with the causes; never the other properties, in which drivers keep rows and parameters. */
function describeError(error: unknown, depth = 0): ErrorLine {
  if (!(error instanceof Error)) return { name: "Thrown", message: redact(String(error)) };
  return {
    name: error.name,
    message: redact(error.message),
    ...(error.stack === undefined ? {} : { stack: redact(error.stack) }),
    ...(error.cause === undefined || depth >= 3 ? {} : { cause: describeError(error.cause, depth + 1) }),
  };
}

const names: ReadonlySet<string> = new Set(logFields);

function allowed(fields: LogFields): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined || !names.has(name)) continue;
    kept[name] = typeof value === "string" ? redact(value) : value;
  }
  if (fields.error !== undefined) kept["error"] = describeError(fields.error);
  // Not fields that a caller of the log chooses: they are those of the current span, or absent.
  const trace = currentTrace();
  return trace === undefined ? kept : { ...kept, traceId: trace.traceId, spanId: trace.spanId };
}

/** Structured logs: one JSON object a line, only the fields of the allow-list and the ids of the current span, credentials blotted out. */
export function makeLog(options: {
  readonly app: string;
  readonly level: LogLevel;
  readonly to?: DestinationStream;
}): Log {
  const settings = {
    level: options.level,
    base: { app: options.app },
    timestamp: pino.stdTimeFunctions.isoTime,
  };
  const logger: Logger = options.to === undefined ? pino(settings) : pino(settings, options.to);
  const at =
    (level: Exclude<LogLevel, "silent">) =>
    (message: string, fields: LogFields = {}): void => {
      logger[level](allowed(fields), redact(message));
    };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}
