import type { z } from "zod";
import { requestErrors } from "../errors/index.ts";

/** More problems than this do not help the caller. */
const complaintsAtMost = 10;

/** Says which field is wrong and why, as `body.tx.value: must be a decimal number`. Never repeats the value. */
const explain = (place: string, issues: readonly z.core.$ZodIssue[]): string => {
  const lines = issues.map(({ path, message }) => `${[place, ...path.map(String)].join(".")}: ${message}`);
  return [...new Set(lines)].slice(0, complaintsAtMost).join("; ");
};

/** Refuses what does not fit, and hands on only what the schema names. */
export function parseInput<T>(place: "path" | "query" | "body", schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw requestErrors.invalid({ message: explain(place, parsed.error.issues) });
  return parsed.data;
}
