/**
 * A worker thread with an engine. It reads, compares and decides; it has no network, no key and only its current
 * request.
 */
import { setPriority } from "node:os";
import { workerData } from "node:worker_threads";
import { systemClock } from "@countersign/platform/clock";
import { makeLog } from "@countersign/platform/log";
import { serveJobs } from "@countersign/platform/pool";
import { OverBudget, withinBudget } from "../budget.ts";
import type { Config } from "../config.ts";
import { openSnapshot, type Snapshot } from "../lists/index.ts";
import type { Registry } from "../registry.ts";
import { fromCloneable, type DescribeRequest, type ValidateRequest } from "../request/index.ts";
import type { StateRun } from "../state/index.ts";
import { questionFor, withAnswer } from "./ask-model.ts";
import { describeTransaction, type Description } from "./describe.ts";
import type { Engine } from "./engine.ts";
import { loadEngine } from "./load-engine.ts";
import { overBudgetVerdict, type Exceeded } from "./over-budget.ts";
import { textToRead, type ProposedReading } from "./reader.ts";
import type { SemanticAnswer, SemanticInput } from "./semantic.ts";
import { conclude, examine, type Verdict } from "./validate.ts";
import { warmUp } from "./warm-up.ts";

export type CheckWorkerData = {
  readonly config: Pick<Config, "MAX_LIST_AGE_DAYS" | "REQUIRE_SANCTIONS" | "LOG_LEVEL">;
  readonly version: string;
  /** When the thread lowers its CPU priority: never, once it is ready, or from its start. */
  readonly yields: "never" | "when_ready" | "from_start";
};

type Job = {
  /** The body, made cloneable by `toCloneable`. */
  readonly body: unknown;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** CPU time that the job may use. */
  readonly budgetMs: number;
  /** The lists to use. They are in shared memory, so that this costs no copy. */
  readonly lists: Snapshot;
  /** Names the lists and settings. The same name means the same lists. */
  readonly configuration: string;
};

export type CheckJob = Job & {
  readonly kind: "check";
  /** The result of the state that came with the body; undefined if none came. */
  readonly state: StateRun | undefined;
  /** The answer of the model, `null` if none is configured, `"ask"` before it was asked. */
  readonly model: SemanticAnswer | "ask" | null;
  /** The reading that a model proposed, `"ask"` before it was asked, `null` if none is used. */
  readonly reading: ProposedReading | "ask" | null;
};

export type DescribeJob = Job & { readonly kind: "describe" };

export type WorkerResult = CheckResult | { readonly description: Description };

export type CheckResult =
  | (Unread & { readonly verdict: Verdict })
  /** The questions for the model. The job is then run again, by any worker, with the answer. */
  | (Unread & { readonly question: SemanticInput })
  /** The job gave up at a checkpoint. */
  | { readonly exceeded: "time" };

/** `unread`: the text, if the job asks for a reading and needs one. The result is used as it is if there is none. */
type Unread = { readonly unread?: string | undefined };

/** Facts about the engine that the main thread needs. */
export type AboutEngine = {
  readonly checks: number;
  readonly catalogueVersion: string;
  readonly registry: Registry["sources"];
  readonly overBudget: Readonly<Record<Exceeded, Verdict>>;
};

const { config, version, yields } = workerData as CheckWorkerData;

/** Linux has a priority per thread; elsewhere this would slow down the whole process. */
const yieldToOthers = (): void => {
  if (process.platform === "linux") setPriority(0, 10);
};

if (yields === "from_start") yieldToOthers();
const log = makeLog({ app: "validator", level: config.LOG_LEVEL });
// Without the operator's lists: those come with each job.
const engine = await loadEngine({
  config: { ...config, VALIDATOR_DATA_DIR: undefined },
  version,
  clock: systemClock,
  log,
});
warmUp(engine);
if (yields === "when_ready") yieldToOthers();

/** Share of the budget. The rest is for the work after the last checkpoint, before the thread is terminated. */
const politeShare = 0.75;

serveJobs<CheckJob | DescribeJob, WorkerResult, AboutEngine>({
  about: aboutEngine(engine),
  handle: (job) => {
    try {
      return withinBudget(job.budgetMs * politeShare, () =>
        job.kind === "check" ? check(job) : { description: describeJob(job) },
      );
    } catch (error) {
      if (error instanceof OverBudget) return { exceeded: "time" };
      throw error;
    }
  },
});

let opened: { readonly configuration: string; readonly engine: Engine } | undefined;
/** Of the current job. A list is as old as it was then, so that a replay finds the same age. */
let jobStartedAt = 0;

/** The engine with the lists of a job. */
function engineFor({ lists, configuration, startedAt }: Job): Engine {
  jobStartedAt = startedAt;
  if (opened?.configuration !== configuration) {
    const seconds = (): bigint => BigInt(Math.floor(jobStartedAt / 1000));
    const { policy, contractData, ...rest } = openSnapshot(lists, seconds, config.MAX_LIST_AGE_DAYS);
    opened = { configuration, engine: { ...engine, lists: rest, policy, contractData } };
  }
  return opened.engine;
}

function check(job: CheckJob): CheckResult {
  const { body, state, startedAt, model, reading } = job;
  const engine = engineFor(job);
  const proposed = reading === "ask" ? null : reading;
  const examined = examine(fromCloneable(body) as ValidateRequest, { engine, state, startedAt, proposed });
  const unread = reading === "ask" ? textToRead(examined, engine.protocols) : undefined;
  const { ran, facts } = examined;
  if (model === null) return { verdict: conclude(examined, { ran, calls: 0, prompts: [] }, engine), unread };
  if (model !== "ask") return { verdict: conclude(examined, withAnswer(ran, model, facts, log), engine) };
  const question = questionFor(ran, facts);
  if ("input" in question) return { question: question.input, unread };
  return { verdict: conclude(examined, withAnswer(ran, question.answer, facts, log), engine), unread };
}

const describeJob = (job: DescribeJob): Description =>
  describeTransaction(fromCloneable(job.body) as DescribeRequest, engineFor(job), job.startedAt);

function aboutEngine({ nodes, catalogueVersion, registry }: Engine): AboutEngine {
  return {
    checks: nodes.length,
    catalogueVersion,
    registry: registry.sources,
    overBudget: { time: overBudgetVerdict("time", engine), memory: overBudgetVerdict("memory", engine) },
  };
}
