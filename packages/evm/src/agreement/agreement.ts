// The answer of a second engine about a run: it agrees, it differs, or it cannot tell. It is sent with the witness, so it is as strict.
import { z } from "zod";
import type { Hex } from "@countersign/wire";
import { compareResults, maxDifferences, maxValueLength } from "./compare-results.ts";
import { summarizeResult, type EngineResult } from "./engine-result.ts";

const printable = (most: number) =>
  z
    .string()
    .max(most)
    .regex(/^[\x20-\x7e]*$/);
const hash = z.custom<Hex>((text) => typeof text === "string" && /^0x[0-9a-f]{64}$/.test(text));
const summary = z
  .strictObject({
    outcome: z.enum(["succeeded", "reverted", "not executable"]),
    gas_used: z
      .string()
      .regex(/^\d{1,20}$/)
      .nullable(),
    logs: z.number().int().min(0).max(100_000),
    hash,
  })
  .readonly();
const difference = z
  .strictObject({
    what: printable(maxValueLength),
    first: printable(maxValueLength),
    second: printable(maxValueLength),
  })
  .readonly();

const about = {
  version: z.literal(1),
  /** Name and version of the second engine. */
  engine: printable(80),
  /** Hash of the witness that both engines executed. */
  state: hash,
};

const agreement = z.discriminatedUnion("result", [
  z.strictObject({ ...about, result: z.literal("agree"), second: summary }).readonly(),
  z
    .strictObject({
      ...about,
      result: z.literal("differs"),
      first: summary,
      second: summary,
      differences: z.array(difference).min(1).max(maxDifferences).readonly(),
    })
    .readonly(),
  z.strictObject({ ...about, result: z.literal("cannot"), why: printable(200) }).readonly(),
]);

/** The answer of a second engine about one witness. */
export type Agreement = z.infer<typeof agreement>;

type About = { readonly engine: string; readonly state: Hex };

/** Returns undefined for anything that is not a complete answer within its limits: at most some 6 kB. */
export function readAgreement(given: unknown): Agreement | undefined {
  return agreement.safeParse(given).data;
}

/** Compares the results of two engines. */
export function agree(about: About, first: EngineResult, second: EngineResult): Agreement {
  const differences = compareResults(first, second);
  const summaries = { first: summarizeResult(first), second: summarizeResult(second) };
  return differences.length === 0
    ? { version: 1, ...about, result: "agree", second: summaries.second }
    : { version: 1, ...about, result: "differs", ...summaries, differences };
}

/** Returns the answer of an engine that has no result. Characters that a report cannot show are left out. */
export const cannotTell = (about: About, why: string): Agreement => ({
  ...{ version: 1, ...about, result: "cannot" },
  why: why.replaceAll(/[^\x20-\x7e]/g, "").slice(0, 200),
});
