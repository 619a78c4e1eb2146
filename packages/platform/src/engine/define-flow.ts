import * as restate from "@restatedev/restate-sdk";
import { crashPoint } from "../crash.ts";
import { inTrace, inTraces, readTraceparent, requestHashIn, type TraceContext } from "../trace/index.ts";

/** A value in the engine's journal: small, plain, and never a prompt, a key or a payload. */
export type Journalled =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly Journalled[]
  | { readonly [name: string]: Journalled };

/** The durable operations of a flow. */
export type Steps = {
  /** The key of the record this flow works on. */
  readonly key: string;
  /** The attempt number, starting at 1. */
  readonly attempt: number;
  /** The rows of a group, whose run the key names. */
  readonly works: readonly GroupWork[];
  /**
   * Continues this trace from the next step on, unless the work was started in one. Call it with a value from the journal. A
   * malformed value is ignored.
   */
  readonly joinTrace: (traceparent: string | undefined) => void;
  /**
   * Does something and remembers the result. A step whose result is in the journal is never repeated. An
   * interrupted step runs again, possibly concurrently with itself, so its effect needs its own idempotency key.
   */
  readonly step: {
    <T extends Journalled>(name: string, effect: () => Promise<T>): Promise<T>;
    (name: string, effect: () => Promise<void>): Promise<void>;
  };
  /** Waits for the given wake-up call or for the time to pass, whichever comes first. Costs nothing while it waits. */
  readonly sleepUntilWoken: (wake: number, forMs: number) => Promise<"woken" | "late">;
};

/** One row of a group. */
export type GroupWork = Pick<FlowInput, "key" | "attempt" | "traceparent">;

export type FlowInput = {
  readonly key: string;
  readonly attempt: number;
  /** Of the request that accepted the work, so that its steps are in the same trace, also after a crash. */
  readonly traceparent?: string | undefined;
  /** The rows of a group. Absent for a flow of its own row. */
  readonly works?: readonly GroupWork[];
};

export type Flow = {
  readonly name: string;
  readonly definition: ReturnType<typeof restate.workflow>;
};

/**
 * By default the engine pauses a call after 70 attempts, which goes unnoticed. Ours retries forever, a few seconds apart;
 * permanent failures end the flow.
 */
const retryPolicy = {
  initialInterval: 100,
  exponentiationFactor: 2,
  maxInterval: 5_000,
  maxAttempts: 2 ** 31 - 1,
  onMaxAttempts: "kill",
} as const;

/** Thrown by a flow that cannot go on, whatever is retried. */
export class FlowCannotGoOn extends restate.TerminalError {}

/** Will retrying not help? By the engine's class: out of the journal an error comes back without ours. */
export const isFinal = (error: unknown): error is Error => error instanceof restate.TerminalError;

const wakeName = (wake: number): string => `wake-${wake}`;

async function sleepUntilWoken(
  context: restate.WorkflowContext,
  wake: number,
  forMs: number,
): Promise<"woken" | "late"> {
  try {
    await context.promise<null>(wakeName(wake)).get().orTimeout(Math.max(0, forMs));
    return "woken";
  } catch (error) {
    if (error instanceof restate.TimeoutError) return "late";
    throw error;
  }
}

/** Contexts of different traces. */
function tracesOf({ traceparent, works = [] }: FlowInput): readonly TraceContext[] {
  const contexts = [traceparent, ...works.map((work) => work.traceparent)].flatMap(
    (given) => readTraceparent(given) ?? [],
  );
  return [...new Map(contexts.map((context) => [context.traceId, context])).values()];
}

/** The spans of a flow's steps. Only steps that run have one: those in the journal had theirs. */
function makeStepSpans(flow: string, input: FlowInput) {
  const { key, attempt, works } = input;
  const [given, ...others] = tracesOf(input);
  let trace = given;
  return {
    joinTrace: (other: string | undefined): void => {
      trace = given ?? readTraceparent(other) ?? trace;
    },
    inStep: <T>(step: string, run: () => Promise<T>): Promise<T> => {
      const about = { "countersign.flow": flow, "countersign.step": step, "countersign.attempt": attempt };
      const [only, ...more] = works ?? [{ key }];
      const attributes = { ...about, ...(more.length === 0 ? requestHashIn(only?.key ?? key) : {}) };
      const name = `${flow}: ${step}`;
      return inTraces(name, others, attributes, () =>
        inTrace(name, { parent: trace, attributes }, (span) => {
          // Work without a trace begins one.
          trace ??= span?.context;
          return run();
        }),
      );
    },
  };
}

/** A durable flow: code that survives the process that runs it. */
export function defineFlow({
  name,
  run,
}: {
  readonly name: string;
  readonly run: (steps: Steps) => Promise<void>;
}): Flow {
  const definition = restate.workflow({
    name,
    handlers: {
      run: async (context: restate.WorkflowContext, input: FlowInput): Promise<void> => {
        const { inStep, joinTrace } = makeStepSpans(name, input);
        const { key, attempt, works = [] } = input;
        await run({
          key,
          attempt,
          works,
          joinTrace,
          step: <T>(step: string, effect: () => Promise<T>) =>
            context.run(step, () =>
              inStep(step, async () => {
                crashPoint(`${name}: before ${step}`);
                const result = await effect();
                crashPoint(`${name}: after ${step}`);
                return result;
              }),
            ),
          sleepUntilWoken: (wake, forMs) => sleepUntilWoken(context, wake, forMs),
        });
      },
      wake: async (context: restate.WorkflowSharedContext, wake: number): Promise<void> => {
        // Woken twice is woken once. A call may have been lost, and the flow may be waiting for that very one: every call
        // stands for all before it.
        for (let call = wake; call > 0; call--) {
          if ((await context.promise<null>(wakeName(call)).peek()) !== undefined) break;
          await context.promise<null>(wakeName(call)).resolve(null);
        }
      },
    },
    options: { retryPolicy, inactivityTimeout: 30_000, abortTimeout: 60_000 },
  });
  return { name, definition };
}
