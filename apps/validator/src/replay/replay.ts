/** Repeats a verdict from its request and compares the result with the report, member by member. */
import type { Clock } from "@countersign/platform/clock";
import { hashReport } from "@countersign/wire";
import { z } from "zod";
import { ValidateRequest } from "../request/index.ts";
import { missingState } from "../state/index.ts";
import { hashRequest } from "../validate/inputs.ts";
import type { Engine } from "../validate/engine.ts";
import { validate } from "../validate/validate.ts";
import { Reading } from "../words/readings/reading.ts";

export type Replayed =
  /** Every member of the report is the same, except how long it took. */
  | { readonly outcome: "identical"; readonly decision: string; readonly reportHash: string }
  /** The inputs are not those of the report, or they give another verdict. */
  | { readonly outcome: "differs"; readonly why: string; readonly where: readonly string[] }
  /** Nothing is known: this validator, its configuration or a model is not part of the bundle. */
  | { readonly outcome: "cannot"; readonly why: string };

type Parts = {
  /** Its clock must be `makeReplayClock`. */
  readonly engine: Engine;
  readonly clock: ReplayClock;
  readonly configuration: string;
  readonly requiresState: boolean;
  readonly requiresSecondEngine: boolean;
};

/** A clock that shows the time of the verdict that is repeated. */
type ReplayClock = Clock & { readonly set: (ms: number) => void };

export function makeReplayClock(start: Date): ReplayClock {
  let at = start.getTime();
  return {
    now: () => new Date(at),
    set: (ms) => {
      at = ms;
    },
  };
}

const Bundle = z.object({
  request: z.record(z.string(), z.unknown()),
  report: z.looseObject({
    llm_calls: z.number(),
    context: z.looseObject({
      engine: z.looseObject({ version: z.string(), catalogue: z.string() }),
      inputs: z.looseObject({
        hash: z.string().nullable(),
        at: z.number(),
        configuration: z.string(),
        reading: z.looseObject({ proposal: z.unknown() }).optional(),
      }),
    }),
  }),
});
type Bundle = z.output<typeof Bundle>;

const cannot = (why: string): Replayed => ({ outcome: "cannot", why });
const differs = (why: string, where: readonly string[] = []): Replayed => ({
  outcome: "differs",
  why,
  where,
});

/** Repeats the verdict of one bundle, given as JSON text `{request, report}`. Never throws for a malformed bundle. */
export async function replay(text: string, parts: Parts): Promise<Replayed> {
  const bundle = Bundle.safeParse(parse(text)).data;
  if (bundle === undefined) return cannot("The bundle is malformed, or its report names no inputs.");
  const hash = hashRequest(bundle.request);
  const { inputs } = bundle.report.context;
  if (hash === null || inputs.hash === null)
    return cannot("The request has numbers that JSON parsers round, so it has no hash.");
  if (hash !== inputs.hash) return differs("The request is not the one that the report names.", ["request"]);
  const request = ValidateRequest.safeParse(bundle.request).data;
  return whyNot(bundle, parts) ?? (request === undefined ? malformed : compare(bundle, request, parts));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const malformed = cannot("The request is malformed: a member has a wrong type.");

function whyNot({ report }: Bundle, { engine, configuration }: Parts): Replayed | undefined {
  const { engine: made, inputs } = report.context;
  if (made.version !== engine.version || made.catalogue !== engine.catalogueVersion)
    return cannot(
      `The verdict was made by validator ${made.version}, catalogue ${made.catalogue}. This is ${engine.version}, ${engine.catalogueVersion}.`,
    );
  if (inputs.configuration !== configuration)
    return cannot("The validator had other settings or lists. Set them as its operator did.");
  if (inputs.reading !== undefined && proposedIn({ report }) === null)
    return cannot("The reading that a model proposed has a form that this validator does not know.");
  if (report.llm_calls > 0) return cannot("A language model was asked, and its answers are not repeatable.");
  return undefined;
}

/** The recorded proposal. No model is asked. */
const proposedIn = ({ report }: Pick<Bundle, "report">): Reading | null =>
  Reading.safeParse(report.context.inputs.reading?.proposal).data ?? null;

async function compare({ report }: Bundle, request: ValidateRequest, parts: Parts): Promise<Replayed> {
  const { engine, clock, requiresState, requiresSecondEngine } = parts;
  const { inputs } = report.context;
  clock.set(inputs.at);
  const verdict = await validate(request, engine, {
    withoutState: requiresState ? missingState : undefined,
    requiresSecondEngine,
    proposed: proposedIn({ report }),
  });
  const repeated = { ...verdict, context: { ...verdict.context, inputs } };
  const [expected, found] = [withoutDuration(report), withoutDuration(repeated)];
  const reportHash = hashReport(report);
  if (hashReport(expected) === hashReport(found))
    return { outcome: "identical", decision: verdict.decision, reportHash };
  return differs("The same inputs give another verdict.", findDifferences(expected, found));
}

/** As JSON has it: members without a value are left out. */
function withoutDuration(report: { readonly context: Readonly<Record<string, unknown>> }): unknown {
  const { duration_ms: _, ...context } = report.context;
  return JSON.parse(JSON.stringify({ ...report, context })) as unknown;
}

const mostDifferences = 20;

const isMembers = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

/** Returns the paths at which two JSON values differ. */
function findDifferences(one: unknown, other: unknown, path = ""): readonly string[] {
  if (!isMembers(one) || !isMembers(other) || Array.isArray(one) !== Array.isArray(other))
    return one === other ? [] : [path];
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names]
    .flatMap((name) => findDifferences(one[name], other[name], path === "" ? name : `${path}.${name}`))
    .slice(0, mostDifferences);
}
