// Summarizes in one badge how far an agent acts without its owner.
import type { Agent, Mandate, Settings } from "@countersign/sdk";
import type { Tone } from "../../components/badge.tsx";
import { mandatesOf, tightestUse } from "./mandate-words.ts";

export type Autonomy = { readonly tone: Tone; readonly word: string };

type Known = {
  readonly mandates: readonly Mandate[];
  readonly executionType: Settings["executionType"] | undefined;
};

/** An agent that never had a mandate is limited by none, unless it is newer than the account's first one. */
const isLimited = ({ agent, createdAt }: Agent, mandates: readonly Mandate[]): boolean =>
  mandates.some((mandate) => mandate.agent === agent || mandate.createdAt <= createdAt);

export function autonomyOf(agent: Agent, { mandates, executionType }: Known): Autonomy {
  if (agent.status === "REVOKED") return { tone: "over", word: "Removed" };
  if (agent.status === "EXPIRED") return { tone: "over", word: "Expired" };
  if (agent.status === "PAUSED") return { tone: "over", word: "Paused" };
  if (executionType === 0) return { tone: "waiting", word: "You send" };
  if (executionType !== 2) return { tone: "waiting", word: "Asks you" };
  const own = mandatesOf(mandates, agent.agent).filter(({ status }) => status === "ACTIVE");
  if (own.length > 0)
    return tightestUse(own)?.isReached === true
      ? { tone: "risk", word: "Limit reached" }
      : { tone: "good", word: "Pays on its own" };
  return isLimited(agent, mandates)
    ? { tone: "waiting", word: "Asks you" }
    : { tone: "risk", word: "Pays without a limit" };
}

/** Returns a sentence about proposals outside of the agent's limits. */
export function outsideLimits(agent: Agent, known: Known): string {
  const { mandates, executionType } = known;
  const hasOwn = mandatesOf(mandates, agent.agent).length > 0;
  if (agent.status === "PAUSED") return "Paused: it can’t propose until you resume it.";
  if (executionType === 2 && autonomyOf(agent, known).word === "Pays without a limit")
    return "No mandate. Proposals that match are approved without a limit.";
  if (executionType === 0) return "Proposals that match are approved. You send them.";
  if (executionType === 1 && hasOwn)
    return "You approve everything at the moment, so it asks you within these limits too.";
  return hasOwn ? "Anything outside of this needs you." : "No mandate. It asks you every time.";
}
