import { systemClock } from "../clock.ts";
import { currentTrace } from "../trace/span.ts";
import { logFields, type LogFields } from "./fields.ts";
import { standardOutput, type Output } from "./output.ts";
import { redact } from "./redact.ts";

export type Log = {
  readonly debug: (message: string, fields?: LogFields) => void;
  readonly info: (message: string, fields?: LogFields) => void;
  readonly warn: (message: string, fields?: LogFields) => void;
  readonly error: (message: string, fields?: LogFields) => void;
};

export const logLevels = ["debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

/** As the lines have them. */
const numberOf = { debug: 20, info: 30, warn: 40, error: 50, silent: Infinity } as const;

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

/** The members of a line for the fields of the allow-list, each with a comma before it. */
function membersOf(fields: LogFields): string {
  let members = "";
  for (const name in fields) {
    const value = fields[name as keyof LogFields];
    if (value === undefined || !names.has(name)) continue;
    members += `,"${name}":${JSON.stringify(typeof value === "string" ? redact(value) : value)}`;
  }
  if (fields.error !== undefined) members += `,"error":${JSON.stringify(describeError(fields.error))}`;
  // Not fields that a caller of the log chooses: they are those of the current span, or absent.
  const trace = currentTrace();
  return trace === undefined ? members : `${members},"traceId":"${trace.traceId}","spanId":"${trace.spanId}"`;
}

let second = { startsAt: 0, text: "" };

/** The current time in ISO format. The part up to the second is written once in each second. */
function timeText(): string {
  const now = systemClock.now().getTime();
  const millisecond = now % 1000;
  const startsAt = now - millisecond;
  if (second.startsAt !== startsAt)
    second = { startsAt, text: new Date(startsAt).toISOString().slice(0, -4) };
  return `${second.text}${String(millisecond).padStart(3, "0")}Z`;
}

/**
 * Structured logs: one JSON object a line, only the fields of the allow-list and the ids of the current span, credentials blotted
 * out. A line of `debug` or `info` may be written up to 100 ms later; warnings and errors are written at once, after all before them.
 */
export function makeLog({
  app,
  level: least,
  to: output = standardOutput(),
}: {
  readonly app: string;
  readonly level: LogLevel;
  readonly to?: Pick<Output, "write"> & Partial<Output>;
}): Log {
  const base = `","app":${JSON.stringify(app)}`;
  const at = (level: Exclude<LogLevel, "silent">) => {
    const number = numberOf[level];
    const head = `{"level":${number},"time":"`;
    return (message: string, fields: LogFields = {}): void => {
      if (number < numberOf[least]) return;
      const text = JSON.stringify(redact(message));
      output.write(`${head}${timeText()}${base}${membersOf(fields)},"msg":${text}}\n`);
    };
  };
  const atOnce = (level: "warn" | "error"): Log["warn"] => {
    const write = at(level);
    return (message, fields) => {
      write(message, fields);
      output.flush?.();
    };
  };
  return { debug: at("debug"), info: at("info"), warn: atOnce("warn"), error: atOnce("error") };
}
