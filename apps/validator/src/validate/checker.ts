/**
 * Checks requests in worker threads, each within a CPU budget. Ordinary and public requests have separate threads, so
 * that public requests cannot delay the others. The main thread calls the model, because a worker does not wait.
 */
import type { Clock } from "@countersign/platform/clock";
import type { Log } from "@countersign/platform/log";
import { makePool, type Pool } from "@countersign/platform/pool";
import { inSpan } from "@countersign/platform/trace";
import type { Config } from "../config.ts";
import { openSnapshot, type Snapshot } from "../lists/index.ts";
import { toCloneable, type DescribeRequest, type ValidateRequest } from "../request/index.ts";
import { missingState, refuseState, takeState, withSecondEngine, type StateRun } from "../state/index.ts";
import { askSafely } from "./ask-model.ts";
import type { AboutEngine, CheckJob, CheckWorkerData, DescribeJob, WorkerResult } from "./check-worker.ts";
import type { Description } from "./describe.ts";
import { hashConfiguration } from "./configuration.ts";
import { describeLists } from "./describe-context.ts";
import { inputsOf } from "./inputs.ts";
import type { Exceeded } from "./over-budget.ts";
import { plain } from "./plain.ts";
import type { ProposedReading, Reader } from "./reader.ts";
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
    Record<Lane, Pick<CheckPool, "waiting" | "threads" | "endedThreads" | "replacedThreads" | "isServing">>
  >;
  /** The threads that execute states. */
  readonly states: StateRunner["pool"];
  /** Requests answered `not_checked` since the start because they exceeded their budget. */
  readonly overBudget: (lane: Lane) => number;
  readonly close: () => Promise<unknown>;
};

type CheckPool = Pool<CheckJob | DescribeJob, WorkerResult, AboutEngine>;

type Parts = {
  readonly config: Config;
  readonly version: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly semantic: Semantic | null;
  /** Proposes readings of requests that were not understood. Anonymous callers do not have it. */
  readonly reader?: Reader | null;
  /** The operator's current lists, once they are loaded. */
  readonly lists: () => Snapshot | undefined;
};

/** Characters and members. Ordinary requests have a few hundred to a few thousand, a batch of five transfers 3,500. */
const largeFrom = 8_000;
const maxWaitMs = 10_000;
/** An engine takes 100 MB; the longest accepted request has 2 MiB. */
const memoryMb = 512;

export function makeChecker(parts: Parts): Checker {
  const { config, version, clock, log, semantic, lists, reader = null } = parts;
  const pools = makePools({ config, version, log });
  const states = makeStateRunner({ config, log });
  const useLists = makeListUser(config, lists);
  const { noteExceeded, exceeded } = countExceeded(log);
  let about: AboutEngine | undefined;

  const check = async (body: ValidateRequest, lane: Lane): Promise<Verdict> => {
    if (about === undefined) throw new Error("the workers were not started");
    const startedAt = clock.now().getTime();
    const { body: rest, ...sent } = takeState(body);
    const hasState = sent.state !== undefined;
    const state = hasState ? await runState(sent, lane, { config, states }) : withoutState(config, lane);
    // Chosen once: the report names the lists that both passes use, even if the operator replaces them in between.
    const used = useLists();
    const job = { ...toJob(rest), state, startedAt, ...used };
    const asked = { config, log, semantic, reader: lane === "ordinary" ? reader : null };
    const answered = await inCheck(lane, () => run(pools[lane], job, asked));
    if ("verdict" in answered) return withInputs(answered, { lane, body, startedAt, reader, ...used });
    noteExceeded(lane, "check exceeded its budget", answered.exceeded);
    const verdict = withLists(about.overBudget[answered.exceeded], used.lists, { config, startedAt });
    return completed(verdict, body, clock.now().getTime() - startedAt);
  };

  const describe = async (body: DescribeRequest): Promise<Description> => {
    if (about === undefined) throw new Error("the workers were not started");
    const parts = { pool: pools.public, clock, used: useLists() };
    const description = await describeWithin(config.VALIDATE_CPU_MS, body, parts);
    if (description === null) noteExceeded("public", "description exceeded its budget", "time");
    return description ?? tooLarge;
  };

  const close = (): Promise<unknown> =>
    Promise.all([pools.ordinary.close(), pools.public.close(), states.close()]);

  return {
    start: async () => {
      try {
        [about] = await Promise.all([pools.ordinary.start(), pools.public.start(), states.start()]);
        return about;
      } catch (error) {
        await close();
        throw error;
      }
    },
    about: () => about,
    check,
    describe,
    overBudget: exceeded,
    pools,
    states: states.pool,
    close,
  };
}

function countExceeded(log: Log) {
  const counts = { ordinary: 0, public: 0 };
  return {
    exceeded: (lane: Lane): number => counts[lane],
    noteExceeded: (lane: Lane, message: string, reason: Exceeded): void => {
      counts[lane] += 1;
      log.warn(message, { step: lane, reason });
    },
  };
}

type UsedLists = Pick<CheckJob, "lists" | "configuration">;

/** Returns the current lists with their name, which is computed once for each snapshot. */
function makeListUser(config: Config, current: Parts["lists"]): () => UsedLists {
  let used: UsedLists | undefined;
  return () => {
    const lists = current();
    if (lists === undefined) throw new Error("the lists were not loaded");
    if (used?.lists !== lists) used = { lists, configuration: hashConfiguration(config, lists) };
    return used;
  };
}

/** Null if it takes more than the budget. */
async function describeWithin(
  budgetMs: number,
  request: DescribeRequest,
  { pool, clock, used }: { readonly pool: CheckPool; readonly clock: Clock; readonly used: UsedLists },
): Promise<Description | null> {
  const startedAt = clock.now().getTime();
  const { value, size } = toCloneable(request);
  const job = { kind: "describe", body: value, startedAt, budgetMs, ...used } as const;
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

const toJob = (rest: ValidateRequest): Pick<Asked, "body" | "isLarge"> => {
  const { value, size } = toCloneable(rest);
  return { body: value, isLarge: size >= largeFrom };
};

type Sent = { readonly state: unknown; readonly secondEngine: unknown };

/** The run of the state that came with a request, compared with the second engine's. */
async function runState(
  { state, secondEngine: sent }: Sent,
  lane: Lane,
  { config, states }: { readonly config: Config; readonly states: StateRunner },
): Promise<StateRun> {
  // Anonymous callers cannot have contracts executed.
  if (lane === "public") return refuseState("This route does not simulate, so the state was not used.");
  const run = await inSpan("run the state", {}, () => states.run(state));
  return withSecondEngine(run, { sent, isRequired: config.REQUIRE_SECOND_ENGINE });
}

type Pools = Readonly<Record<Lane, CheckPool>>;

function makePools({ config, version, log }: Pick<Parts, "config" | "version" | "log">): Pools {
  const { MAX_LIST_AGE_DAYS, REQUIRE_SANCTIONS, LOG_LEVEL } = config;
  const makeLane = (lane: Lane, size: number, queue: number): CheckPool =>
    makePool({
      name: lane,
      file: new URL("check-worker.ts", import.meta.url),
      dataFor: (isReplacement): CheckWorkerData => ({
        config: { MAX_LIST_AGE_DAYS, REQUIRE_SANCTIONS, LOG_LEVEL },
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

type Asked = Pick<CheckJob, "body" | "state" | "startedAt" | keyof UsedLists> & { readonly isLarge: boolean };
type Answered =
  { readonly verdict: Verdict; readonly proposed: ProposedReading | null } | { readonly exceeded: Exceeded };
type Passed = { readonly cpuMs: number } & (
  | { readonly verdict: Verdict; readonly unread?: string | undefined }
  | { readonly question: SemanticInput; readonly unread?: string | undefined }
  | { readonly exceeded: Exceeded }
);
type Models = Pick<Parts, "config" | "log" | "semantic"> & { readonly reader: Reader | null };

/**
 * One pass; one more with a proposed reading, if the request was not understood; and one more with the model's answers. All count against one
 * budget; waiting for the model does not. Without a usable proposal the result is the one of the first pass.
 */
async function run(
  pool: CheckPool,
  { isLarge, ...asked }: Asked,
  { config, log, semantic, reader }: Models,
): Promise<Answered> {
  let leftMs = config.VALIDATE_CPU_MS;
  const pass = async (given: Pick<CheckJob, "model" | "reading">): Promise<Passed> => {
    const budgetMs = Math.max(leftMs, 1);
    const outcome = await pool.run({ kind: "check", ...asked, ...given, budgetMs }, { budgetMs, isLarge });
    if (outcome.kind === "over_budget") return { exceeded: outcome.of, cpuMs: budgetMs };
    if ("description" in outcome.result) throw new Error("a worker described instead of checking");
    leftMs -= outcome.cpuMs;
    return { ...outcome.result, cpuMs: outcome.cpuMs };
  };
  const model = semantic === null ? null : "ask";
  const first = await pass({ model, reading: reader === null ? null : "ask" });
  const proposed = await proposeFor(first, reader);
  const again = proposed === null ? first : await pass({ model, reading: proposed });
  // A reading that takes too long to check is not used.
  const isUsed = !("exceeded" in again);
  const [read, used] = isUsed ? [again, proposed] : [first, null];
  if ("exceeded" in read) return read;
  if ("verdict" in read) return { verdict: read.verdict, proposed: used };
  if (semantic === null) throw new Error("a worker asked for a model that is not configured");
  const answer = await askSafely(read.question, semantic, log);
  const last = await pass({ model: answer, reading: used });
  if ("question" in last) throw new Error("a worker asked the model twice");
  return "verdict" in last ? { verdict: last.verdict, proposed: used } : last;
}

const proposeFor = async (first: Passed, reader: Reader | null): Promise<ProposedReading | null> =>
  reader === null || "exceeded" in first || first.unread === undefined ? null : reader.propose(first.unread);

type Asking = {
  readonly lane: Lane;
  readonly body: ValidateRequest;
  readonly startedAt: number;
  readonly configuration: string;
  readonly reader: Reader | null;
};
type WithReading = { readonly verdict: Verdict; readonly proposed: ProposedReading | null };

/** Anonymous verdicts are not stored, so nothing repeats them. */
function withInputs({ verdict, proposed }: WithReading, { lane, body, reader, ...known }: Asking): Verdict {
  if (lane === "public") return verdict;
  const reading = proposed === null || reader === null ? null : { ...reader.by, proposal: proposed };
  const inputs = inputsOf(body, { ...known, reading });
  return { ...verdict, context: { ...verdict.context, inputs } };
}

/** A worker builds shared verdicts before it knows the lists. */
function withLists(verdict: Verdict, lists: Snapshot, { config, startedAt }: AtStart): Verdict {
  const seconds = BigInt(Math.floor(startedAt / 1000));
  const opened = openSnapshot(lists, () => seconds, config.MAX_LIST_AGE_DAYS);
  return { ...verdict, context: { ...verdict.context, lists: describeLists(opened) } };
}

type AtStart = { readonly config: Config; readonly startedAt: number };

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
