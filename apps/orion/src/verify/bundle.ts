// The inputs of a verdict, which its owner can repeat it from.
import { gzipSync } from "node:zlib";
import { hashReport } from "@countersign/wire";
import { z } from "zod";
import type { ValidatorQuestion } from "../adapters/validator/index.ts";

const Report = z.object({ context: z.object({ inputs: z.object({ hash: z.string() }) }) });

/** Returns the gzipped request, or undefined if the report names another one or none: then it would prove nothing. */
export function bundleOf(question: ValidatorQuestion, report: unknown): Buffer | undefined {
  const named = Report.safeParse(report).data?.context.inputs.hash;
  return named !== undefined && named === tryToHash(question)
    ? gzipSync(JSON.stringify(question))
    : undefined;
}

/** Undefined for a request without a canonical text, such as one with a lone surrogate. */
function tryToHash(question: ValidatorQuestion): string | undefined {
  try {
    return hashReport(question);
  } catch {
    return undefined;
  }
}
