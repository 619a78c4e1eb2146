/**
 * Checks requests in worker threads, each within a CPU budget. Ordinary and public requests have separate threads, so
 * that public requests cannot delay the others. The main thread calls the model, because a worker does not wait.
 */
import type { Clock } from "@countersign/platform/clock";
import type { Log } from "@countersign/platform/log";
import { makePool, type Pool } from "@countersign/platform/pool";
import { inSpan } from "@countersign/platform/trace";
import type { Config } from "../config.ts";
import { toCloneable, type DescribeRequest, type ValidateRequest } from "../request/index.ts";
import { missingState, refuseState, takeState, type StateRun } from "../state/index.ts";
import { askSafely } from "./ask-model.ts";
import type { AboutEngine, CheckJob, CheckWorkerData, DescribeJob, WorkerResult } from "./check-worker.ts";
import type { Description } from "./describe.ts";
import { hashConfiguration } from "./configuration.ts";
import { inputsOf } from "./inputs.ts";
import type { Exceeded } from "./over-budget.ts";
import { plain } from "./plain.ts";
import { makeStateRunner, type StateRunner } from "./run-states.ts";
import type { Semantic, SemanticInput } from "./semantic.ts";
import type { Verdict } from "./validate.ts";

export type Lane = "ordinary" | "public";

export type Checker = {
  /** Starts the workers. Rejects with the worker's error if one of them cannot load its tables. */
  readonly start: () => Promise<AboutEngine>;
  /** Facts about the engine; undefined until the workers are ready. */
  readonly about: () => AboutEngine | undefined;
  /** Throws `PoolBusy` if the lane has no room. */
  readonly check: (body: ValidateRequest, lane: Lane) => Promise<Verdict>;
  /** Describes a transaction, in the threads of public requests. Throws `PoolBusy` if they have no room. */
  readonly describe: (body: DescribeRequest) => Promise<Description>;
  readonly pools: Readonly<
    Record<Lane, Pick<CheckPool, "waiting" | "threads" | "endedThreads" | "isServing">>
  >;
  /** The threads that execute states. */
  readonly states: StateRunner["pool"];
  /** Requests answered `not_checked` since the start because they exceeded their budget. */
  readonly overBudget: (lane: Lane) => number;
  readonly close: () => Promise<void>;
};

type CheckPool = Pool<CheckJob | DescribeJob, WorkerResult, AboutEngine>;

type Parts = {
  readonly config: Config;
  readonly version: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly semantic: Semantic | null;
};

/** Characters and members. Ordinary requests have a few hundred to a few thousand, a batch of five transfers 3,500. */
const largeFrom = 8_000;
const maxWaitMs = 10_000;
/** An engine takes 100 MB; the longest accepted request has 2 MiB. */
const memoryMb = 512;

export function makeChecker({ config, version, clock, log, semantic }: Parts): Checker {
  const pools = makePools({ config, version, log });
  const states = makeStateRunner({ config, log });
  let configuration = "";
  const exceeded = { ordinary: 0, public: 0 };
  let about: AboutEngine | undefined;

  const check = async (body: ValidateRequest, lane: Lane): Promise<Verdict> => {
    if (about === undefined) throw new Error("the workers were not started");
    const startedAt = clock.now().getTime();
    const { body: rest, state } = takeState(body);
    const ran = state === undefined ? withoutState(config, lane) : await runState(states, state, lane);
    const { value, size } = toCloneable(rest);
    const job = { body: value, state: ran, startedAt, isLarge: size >= largeFrom };
    const answered = await inCheck(lane, () => run(pools[lane], job, { config, log, semantic }));
    if ("verdict" in answered) return withInputs(answered.verdict, { lane, body, startedAt, configuration });
    exceeded[lane] += 1;
    log.warn("check exceeded its budget", { step: lane, reason: answered.exceeded });
    return completed(about.overBudget[answered.exceeded], body, clock.now().getTime() - startedAt);
  };

  const describe = async (body: DescribeRequest): Promise<Description> => {
    if (about === undefined) throw new Error("the workers were not started");
    const description = await describeWithin(config.VALIDATE_CPU_MS, body, { pool: pools.public, clock });
    if (description !== null) return description;
    exceeded.public += 1;
    log.warn("description exceeded its budget", { step: "public" });
    return tooLarge;
  };

  const close = async (): Promise<void> => {
    await Promise.all([pools.ordinary.close(), pools.public.close(), states.close()]);
  };

  return {
    start: async () => {
      try {
        [about] = await Promise.all([pools.ordinary.start(), pools.public.start(), states.start()]);
        configuration = hashConfiguration(config);
        return about;
      } catch (error) {
        await close();
        throw error;
      }
    },
    about: () => about,
    check,
    describe,
    overBudget: (lane) => exceeded[lane],
    pools,
    states: states.pool,
    close,
  };
}

/** Null if it takes more than the budget. */
async function describeWithin(
  budgetMs: number,
  request: DescribeRequest,
  { pool, clock }: { readonly pool: CheckPool; readonly clock: Clock },
): Promise<Description | null> {
  const startedAt = clock.now().getTime();
  const { value, size } = toCloneable(request);
  const job = { kind: "describe", body: value, startedAt, budgetMs } as const;
  const outcome = await pool.run(job, { budgetMs, isLarge: size >= largeFrom });
  return outcome.kind === "done" && "description" in outcome.result ? outcome.result.description : null;
}

const tooLarge: Description = {
  request: null,
  why: "The transaction is too large to describe within the limit of one request.",
  steps: [],
};

/** The span of a check, with the wait for a worker thread. */
const inCheck = <T>(lane: Lane, check: () => Promise<T>): Promise<T> =>
  inSpan("check", { attributes: { "countersign.lane": lane } }, check);

/** An operator can refuse verdicts on calldata alone. Anonymous callers, who cannot send a state, still get theirs. */
const withoutState = ({ REQUIRE_STATE }: Config, lane: Lane): StateRun | undefined =>
  REQUIRE_STATE && lane === "ordinary" ? missingState : undefined;

/** Anonymous callers cannot have contracts executed. */
const runState = async ({ run }: StateRunner, state: unknown, lane: Lane): Promise<StateRun> =>
  lane === "ordinary"
    ? inSpan("run the state", {}, () => run(state))
    : refuseState("This route does not simulate, so the state was not used.");

type Pools = Readonly<Record<Lane, CheckPool>>;

function makePools({ config, version, log }: Pick<Parts, "config" | "version" | "log">): Pools {
  const { VALIDATOR_DATA_DIR, MAX_LIST_AGE_DAYS, REQUIRE_SANCTIONS, LOG_LEVEL } = config;
  const makeLane = (lane: Lane, size: number, queue: number): CheckPool =>
    makePool({
      name: lane,
      file: new URL("check-worker.ts", import.meta.url),
      dataFor: (isReplacement): CheckWorkerData => ({
        config: { VALIDATOR_DATA_DIR, MAX_LIST_AGE_DAYS, REQUIRE_SANCTIONS, LOG_LEVEL },
        version,
        yields: lane === "ordinary" ? "never" : isReplacement ? "from_start" : "when_ready",
      }),
      size,
      queue,
      maxWaitMs,
      memoryMb,
      log,
    });
  return {
    ordinary: makeLane("ordinary", config.VALIDATE_WORKERS, config.VALIDATE_QUEUE),
    public: makeLane("public", config.PUBLIC_VALIDATE_WORKERS, config.PUBLIC_VALIDATE_QUEUE),
  };
}

type Asked = Pick<CheckJob, "body" | "state" | "startedAt"> & { readonly isLarge: boolean };
type Answered = { readonly verdict: Verdict } | { readonly exceeded: Exceeded };
type Passed = Answered | { readonly question: SemanticInput; readonly cpuMs: number };

/**
 * One pass, or two with the model's answer in between. Both count against one budget; waiting for the model does not.
 */
async function run(
  pool: CheckPool,
  { isLarge, ...asked }: Asked,
  { config, log, semantic }: Pick<Parts, "config" | "log" | "semantic">,
): Promise<Answered> {
  const pass = async (model: CheckJob["model"], budgetMs: number): Promise<Passed> => {
    const outcome = await pool.run({ kind: "check", ...asked, model, budgetMs }, { budgetMs, isLarge });
    if (outcome.kind === "over_budget") return { exceeded: outcome.of };
    if ("description" in outcome.result) throw new Error("a worker described instead of checking");
    return "question" in outcome.result ? { ...outcome.result, cpuMs: outcome.cpuMs } : outcome.result;
  };
  const budgetMs = config.VALIDATE_CPU_MS;
  const first = await pass(semantic === null ? null : "ask", budgetMs);
  if (!("question" in first)) return first;
  if (semantic === null) throw new Error("a worker asked for a model that is not configured");
  const model = await askSafely(first.question, semantic, log);
  const second = await pass(model, Math.max(budgetMs - first.cpuMs, 1));
  if ("question" in second) throw new Error("a worker asked the model twice");
  return second;
}

type Asking = {
  readonly lane: Lane;
  readonly body: ValidateRequest;
  readonly startedAt: number;
  readonly configuration: string;
};

/** Anonymous verdicts are not stored, so nothing repeats them. */
const withInputs = (verdict: Verdict, { lane, body, ...known }: Asking): Verdict =>
  lane === "public"
    ? verdict
    : { ...verdict, context: { ...verdict.context, inputs: inputsOf(body, known) } };

/** Completes a shared verdict with the data of the request. */
function completed(verdict: Verdict, body: ValidateRequest, durationMs: number): Verdict {
  const { preferences, return_prompts: wantsPrompts } = body;
  const context = {
    ...verdict.context,
    ...(preferences === undefined || preferences === null ? {} : { preferences_ignored: plain(preferences) }),
    ...(wantsPrompts === true ? { prompts: [] } : {}),
    duration_ms: durationMs,
  };
  return { ...verdict, context };
}
