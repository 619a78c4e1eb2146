/** Decides whether a state belongs to the proposal, and returns the facts that it proves. */
import type { Facts } from "../facts.ts";
import type { Proposal } from "../proposal.ts";
import type { StateRun } from "./run-state.ts";

type Ran = Extract<StateRun, { readonly status: "ran" }>;
type StateFacts = { readonly [Name in "state" | "funds" | "simulation"]?: Facts[Name] | undefined };

/** Blocks come every few seconds. A state that is older may show prices and balances that are gone. */
const maxAgeSeconds = 600n;
/** Clocks differ. */
const maxAheadSeconds = 120n;

/** Returns nothing without a state, and a refused state without any other fact if it is not that of the proposal. */
export function bindState(proposal: Proposal, run: StateRun | undefined): StateFacts {
  if (run === undefined) return {};
  const { hash } = run;
  if (run.status === "refused") return { state: { status: "refused", hash, why: run.why } };
  const why = findMismatch(proposal, run);
  if (why !== null) return { state: { status: "refused", hash, why } };
  const { block, funds, simulation } = run;
  return {
    state: { status: "proven", hash: run.hash, block },
    funds,
    ...(simulation === null ? {} : { simulation }),
  };
}

function findMismatch(proposal: Proposal, { call, block }: Ran): string | null {
  const [only, ...more] = proposal.calls;
  if (only === undefined || more.length > 0 || proposal.typedData !== null)
    return "The state of the chain is for one call, and the transaction is not one call.";
  if (proposal.authorizations.length > 0)
    return "The state of the chain does not cover an authorization list.";
  const differing = [
    ["chain", call.chainId === BigInt(proposal.chain.id)],
    ["sender", call.from === proposal.actor],
    ["target", call.to === only.to],
    ["value", call.value === only.value],
    ["calldata", call.data === only.data],
    ["gas limit", proposal.gas.limit === null || proposal.gas.limit === call.gas],
  ].find(([, isSame]) => isSame === false);
  if (differing !== undefined)
    return `The state of the chain is for another call: its ${String(differing[0])} differs.`;
  const age = proposal.now - block.timestamp;
  if (age > maxAgeSeconds)
    return `The state of the chain is ${age.toString()} seconds old; at most ${maxAgeSeconds.toString()} are accepted.`;
  if (-age > maxAheadSeconds)
    return `The state of the chain is ${(-age).toString()} seconds ahead of the time of the request.`;
  return null;
}
