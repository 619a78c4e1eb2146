/** The whole flow, top to bottom: read the request, establish facts, run the checks, decide, explain. */
import type { Assessment } from "../assessment.ts";
import type { Facts } from "../facts.ts";
import { readRequest, type ValidateRequest } from "../request/index.ts";
import { bindState, runState, takeState, withSecondEngine, type StateRun } from "../state/index.ts";
import { establishFacts } from "./1-establish-facts.ts";
import { runNodes, type Ran } from "./2-run-nodes.ts";
import { decide, type Decision } from "./3-decide.ts";
import { explain, resultsOf, type Explanation, type NodeResult } from "./4-explain.ts";
import { askModel, type Asked } from "./ask-model.ts";
import { assess } from "./assess.ts";
import { describeContext } from "./describe-context.ts";
import type { Engine } from "./engine.ts";
import { plain } from "./plain.ts";
import type { ProposedReading } from "./reader.ts";
import { withRequiredLists } from "./require-lists.ts";

export type Verdict = {
  readonly decision: "PASS" | "REJECT";
  readonly reason: string;
  readonly protocol: string | null;
  readonly primary_failure_node: string | null;
  readonly llm_calls: number;
  readonly results: Readonly<Record<string, NodeResult>>;
  readonly extracted_elements: Readonly<Record<string, unknown>>;
  readonly context: Readonly<Record<string, unknown>>;
  readonly explanation: Explanation | null;
  readonly assessment: Assessment;
};

/** The deterministic part of a verdict: everything before a model is asked. */
type Examined = {
  readonly body: ValidateRequest;
  readonly words: string;
  readonly facts: Partial<Facts>;
  readonly ran: readonly Ran[];
  /** When the request arrived, in milliseconds since the epoch. */
  readonly startedAt: number;
};

type Required = {
  /** Used if the request has no state. */
  readonly withoutState?: StateRun | undefined;
  readonly requiresSecondEngine?: boolean;
  readonly proposed?: ProposedReading | null | undefined;
};

/** The same as the service's threads do, in this thread and without a budget. */
export async function validate(
  given: ValidateRequest,
  engine: Engine,
  { withoutState, requiresSecondEngine: isRequired = false, proposed }: Required = {},
): Promise<Verdict> {
  const { body, state: sent, secondEngine } = takeState(given);
  const run = sent === undefined ? withoutState : await runState(sent, () => undefined);
  const state = run && withSecondEngine(run, { sent: secondEngine, isRequired });
  const startedAt = engine.clock.now().getTime();
  const examined = examine(body, { engine, state, startedAt, proposed });
  return conclude(examined, await askModel(examined.ran, examined.facts, engine), engine);
}

type Given = {
  readonly engine: Engine;
  readonly startedAt: number;
  /** The result of the state that came with the body. */
  readonly state?: StateRun | undefined;
  /** A reading of the request that a model proposed. */
  readonly proposed?: ProposedReading | null | undefined;
};

export function examine(
  body: ValidateRequest,
  { engine, startedAt, state, proposed = null }: Given,
): Examined {
  const now = BigInt(Math.floor(startedAt / 1000));
  const proposal = readRequest(body, { now, registry: engine.registry });
  const proven = bindState(proposal, state);
  const facts = establishFacts(proposal, { engine, proven, toldNow: proposal.now !== now, proposed });
  return { body, words: proposal.words, facts, ran: runNodes(engine.nodes, facts, engine.log), startedAt };
}

export function conclude(
  { body, words, facts, startedAt }: Examined,
  { ran, calls, prompts }: Asked,
  engine: Engine,
): Verdict {
  const assessment = withRequiredLists(assess(facts, engine.protocols), ran, engine);
  const decision = decide(ran, assessment, engine);
  const context = describeContext({ body, facts, ran, decision, engine, prompts });
  return {
    decision: decision.decision,
    reason: decision.reason,
    protocol: protocolOf(facts),
    primary_failure_node: decision.primary,
    llm_calls: calls,
    results: resultsOf(ran, words),
    extracted_elements: facts.intent === undefined ? {} : (plain(facts.intent) as Record<string, unknown>),
    context: { ...context, duration_ms: engine.clock.now().getTime() - startedAt },
    explanation: tryToExplain({ ran, decision, words, engine, calls }),
    assessment,
  };
}

/** Returns the venue of the first effect that has one, or else the protocol that it resembles. */
function protocolOf({ reading }: Partial<Facts>): string | null {
  const effects = reading?.effects ?? [];
  const bound = effects.find(({ venue }) => venue !== null)?.venue;
  return bound ?? effects.find(({ protocol }) => protocol !== "")?.protocol ?? null;
}

type Told = {
  readonly ran: readonly Ran[];
  readonly decision: Decision;
  readonly words: string;
  readonly engine: Engine;
  readonly calls: number;
};

/** A verdict is valid without its explanation, so a failure here only loses the explanation. */
function tryToExplain({ ran, decision, words, engine, calls }: Told): Explanation | null {
  const { version, catalogueVersion, requireSanctions, nodes } = engine;
  const metadata = { engine: version, catalogue: catalogueVersion, checks: nodes.length, llm_calls: calls };
  try {
    return explain({ ran, decision, words, requireSanctions, metadata });
  } catch (error) {
    engine.log.error("explanation failed", { error });
    return null;
  }
}
