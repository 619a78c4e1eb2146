// Functions of Cedar's extension types decimal, datetime and duration.
import { datetime, decimal, duration, EvaluationFailed, long, type Extension, type Value } from "./values.ts";

const dayMs = 86_400_000n;

function extension(value: Value | undefined, kind: Extension["kind"]): bigint {
  if (typeof value === "object" && value.kind === kind) return value.n;
  throw new EvaluationFailed(`not a ${kind}`);
}

function text(value: Value | undefined): string {
  if (typeof value === "string") return value;
  throw new EvaluationFailed("not a text");
}

/** The time of day, also before 1970. */
const timeOf = (at: bigint): bigint => ((at % dayMs) + dayMs) % dayMs;

type Call = (values: readonly Value[]) => Value;

const compared =
  (compare: (one: bigint, other: bigint) => boolean): Call =>
  ([one, other]) =>
    compare(extension(one, "decimal"), extension(other, "decimal"));

/** Whole units, rounded towards zero. */
const inUnits =
  (ms: bigint): Call =>
  ([one]) =>
    extension(one, "duration") / ms;

const calls: Readonly<Record<string, Call>> = {
  decimal: ([one]) => decimal(text(one)),
  datetime: ([one]) => datetime(text(one)),
  duration: ([one]) => duration(text(one)),
  lessThan: compared((one, other) => one < other),
  lessThanOrEqual: compared((one, other) => one <= other),
  greaterThan: compared((one, other) => one > other),
  greaterThanOrEqual: compared((one, other) => one >= other),
  offset: ([one, by]) => ({
    kind: "datetime",
    n: long(extension(one, "datetime") + extension(by, "duration")),
  }),
  durationSince: ([one, other]) => ({
    kind: "duration",
    n: long(extension(one, "datetime") - extension(other, "datetime")),
  }),
  toDate: ([one]) => {
    const at = extension(one, "datetime");
    return { kind: "datetime", n: long(at - timeOf(at)) };
  },
  toTime: ([one]) => ({ kind: "duration", n: timeOf(extension(one, "datetime")) }),
  toMilliseconds: inUnits(1n),
  toSeconds: inUnits(1_000n),
  toMinutes: inUnits(60_000n),
  toHours: inUnits(3_600_000n),
  toDays: inUnits(dayMs),
};

export const isExtension = (name: string): boolean => Object.hasOwn(calls, name);

/** Calls a function or method by its name in the syntax tree. */
export function callExtension(name: string, values: readonly Value[]): Value {
  const call = calls[name];
  if (call === undefined) throw new EvaluationFailed(`no function ${name}`);
  return call(values);
}
