// The inputs of a verdict as the verification service sends them: gzipped, in base64, named by the signed report.
import { gunzipSync } from "node:zlib";
import { hashReport } from "@countersign/wire";
import { z } from "zod";
import { transactionErrors } from "../errors.ts";
import type { Hex } from "../transaction.ts";

export type Bundle = { readonly hash: Hex; readonly content: Buffer };

/** The validator accepts requests of 2 MiB. */
const mostBytes = 2 * 1024 * 1024;

const Report = z.object({ context: z.object({ inputs: z.object({ hash: z.string() }) }) });

/** Returns the bundle if it contains exactly the request that the report names. Throws otherwise. */
export function checkBundle(bundle: string, report: unknown): Bundle {
  const named = Report.safeParse(report).data?.context.inputs.hash;
  if (named === undefined)
    throw transactionErrors.wrongBundle({ message: "bundle: the report names no inputs" });
  const content = Buffer.from(bundle, "base64");
  const hash = hashContent(content);
  if (hash === undefined)
    throw transactionErrors.wrongBundle({ message: "bundle: it is not gzipped JSON of at most 2 MiB" });
  if (hash !== named)
    throw transactionErrors.wrongBundle({ message: "bundle: it is not the request that the report names" });
  return { hash, content };
}

function hashContent(content: Buffer): Hex | undefined {
  try {
    return hashReport(readBundle(content));
  } catch {
    return undefined;
  }
}

/** Returns the request in a bundle. Throws for content that is not gzipped JSON or too large. */
export const readBundle = (content: Buffer): unknown =>
  JSON.parse(gunzipSync(content, { maxOutputLength: mostBytes }).toString("utf8"));
