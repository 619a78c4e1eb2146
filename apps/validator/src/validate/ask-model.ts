/**
 * Combines a model's opinions with the findings. An opinion can add a failure, or fill a check of low weight that is
 * open. It never changes a finding for the better, so a verdict with a model is never better than one without.
 */
import type { Log } from "@countersign/platform/log";
import type { Facts, Opinion } from "../facts.ts";
import { judgeOpinion, type Finding } from "../node.ts";
import { runNode, type Ran } from "./2-run-nodes.ts";
import { severityOf } from "./3-decide.ts";
import type { Engine } from "./engine.ts";
import { asks, type Ask, type Semantic, type SemanticAnswer, type SemanticInput } from "./semantic.ts";

export type Asked = {
  readonly ran: readonly Ran[];
  readonly calls: number;
  readonly prompts: readonly string[];
};

/** The check that receives each answer. */
const hears: Readonly<Record<Ask, string>> = {
  consistency: "intent_alignment.intent_consistency_semantic",
  pressure: "adversarial_detection.urgency_social",
  purpose: "legal_compliance.illicit_purpose_text",
};

const skipped = (kind: "llm_unavailable" | "not_applicable", reasoning: string): SemanticAnswer => ({
  opinions: { consistency: { status: "SKIP", kind, reasoning } },
  calls: 0,
  prompts: [],
});

export async function askModel(
  ran: readonly Ran[],
  facts: Partial<Facts>,
  { semantic, log }: Pick<Engine, "semantic" | "log">,
): Promise<Asked> {
  if (semantic === null) return { ran, calls: 0, prompts: [] };
  const question = questionFor(ran, facts);
  const answer = "answer" in question ? question.answer : await askSafely(question.input, semantic, log);
  return withAnswer(ran, answer, facts, log);
}

/** Returns the question for a model, or the answer where there is nothing to ask. */
export function questionFor(
  ran: readonly Ran[],
  { proposal, intent, reading }: Partial<Facts>,
): { readonly input: SemanticInput } | { readonly answer: SemanticAnswer } {
  // A model cannot undo a critical failure, so it is not asked.
  if (ran.some((one) => one.finding.status === "FAIL" && severityOf(one) === "critical"))
    return { answer: skipped("not_applicable", "No model was asked, because a critical failure decides.") };
  if (proposal === undefined || intent === undefined || reading === undefined)
    return {
      answer: skipped("not_applicable", "No model was asked, because the request could not be read."),
    };
  return {
    input: {
      words: proposal.words,
      intent,
      reading,
      chain: proposal.chain.id,
      asks: asks.filter((ask) => isWorthAsking(ran.find(({ id }) => id === hears[ask]))),
    },
  };
}

/** Asks the model. Its failure becomes a SKIP. */
export async function askSafely(input: SemanticInput, semantic: Semantic, log: Log): Promise<SemanticAnswer> {
  try {
    return await semantic.ask(input);
  } catch (error) {
    log.warn("the semantic checks failed", { error });
    return skipped("llm_unavailable", "The language model could not be reached.");
  }
}

export const withAnswer = (
  ran: readonly Ran[],
  { opinions, calls, prompts }: SemanticAnswer,
  facts: Partial<Facts>,
  log: Log,
): Asked => ({ ran: join(ran, opinions, facts, log), calls, prompts });

/** An opinion adds nothing to a check that failed or does not apply. */
const isWorthAsking = (ran: Ran | undefined): boolean =>
  ran !== undefined &&
  ran.finding.status !== "FAIL" &&
  !(ran.finding.status === "SKIP" && ran.finding.kind === "not_applicable");

export const join = (
  ran: readonly Ran[],
  opinions: SemanticAnswer["opinions"],
  facts: Partial<Facts>,
  log: Log,
): readonly Ran[] =>
  ran.map((one) => {
    const ask = asks.find((name) => hears[name] === one.id);
    const opinion = ask === undefined ? undefined : opinions[ask];
    return opinion === undefined ? one : { ...one, finding: meet(one, said(one, opinion, facts, log)) };
  });

/** The check for the opinion evaluates it itself; for the others it is one more finding. */
const said = (one: Ran, opinion: Opinion, facts: Partial<Facts>, log: Log): Finding =>
  one.node.needs.includes("opinion") ? runNode(one, { ...facts, opinion }, log) : judgeOpinion(opinion);

function meet({ node, finding }: Ran, opinion: Finding): Finding {
  if (finding.status === "FAIL") return finding;
  if (opinion.status === "FAIL") return opinion;
  const mayFill = node.fillable === true && !node.required && isSlight(node.severity);
  return finding.status === "SKIP" && mayFill ? opinion : finding;
}

const isSlight = (severity: string): boolean => severity === "medium" || severity === "low";
