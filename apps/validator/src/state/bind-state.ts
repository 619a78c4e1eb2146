/** Decides whether a state belongs to the proposal, and returns the facts that it proves. */
import { signedCalls } from "@countersign/wire/signed-calls";
import type { Facts } from "../facts.ts";
import type { Address, Call, Proposal } from "../proposal.ts";
import type { StateRun } from "./run-state.ts";

type Ran = Extract<StateRun, { readonly status: "ran" }>;
type StateFacts = {
  readonly [Name in "state" | "funds" | "simulation" | "names" | "engines"]?: Facts[Name] | undefined;
};

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
  const { block, funds, simulation, names, engines } = run;
  return {
    state: { status: "proven", hash: run.hash, block },
    funds,
    ...(simulation === null ? {} : { simulation }),
    ...(names.size === 0 ? {} : { names }),
    ...(engines === undefined ? {} : { engines }),
  };
}

function findMismatch(proposal: Proposal, { chainId, sender, signer, calls, block }: Ran): string | null {
  const expected = expectedOf(proposal);
  if (typeof expected === "string") return expected;
  if (expected.calls.length !== calls.length)
    return `The state of the chain is for ${countOf(calls)}, and the transaction has ${countOf(expected.calls)}.`;
  const differing = [
    ["chain", chainId === BigInt(proposal.chain.id)],
    ["sender", sender === expected.sender],
    ["signer", signer === expected.signer],
    ...calls.flatMap((call, index) => compareCall(call, expected.calls[index], proposal)),
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

const countOf = ({ length }: readonly unknown[]): string => `${length} ${length === 1 ? "call" : "calls"}`;

type Expected = {
  readonly sender: Address | null;
  readonly signer: Address | null;
  readonly calls: readonly Pick<Call, "to" | "value" | "data">[];
};

/** Returns the calls that the transaction makes, or those that a signature lets others make. A string if no state can be for it. */
function expectedOf({ calls, typedData, message, authorizations, actor }: Proposal): Expected | string {
  if (authorizations.length > 0) return "The state of the chain does not cover an authorization list.";
  if (message !== null) return "The state of the chain does not cover a message.";
  if (typedData === null) return { sender: actor, signer: null, calls };
  if (calls.length > 0) return "The state of the chain is for calls or for a signature, not for both.";
  const signed = actor === null ? undefined : signedCalls(typedData, actor);
  if (signed === undefined)
    return "The state of the chain is for calls, and what this signature allows is not known as calls.";
  return {
    ...{ sender: signed.account, signer: actor },
    calls: signed.calls.map((call) => ({ ...call, value: BigInt(call.value) })),
  };
}

type Compared = readonly [name: string, isSame: boolean];

/** A gas limit is that of the whole transaction, so it cannot be compared with those of several calls. */
function compareCall(
  { to, value, data, gas }: Ran["calls"][number],
  asked: Expected["calls"][number] | undefined,
  proposal: Proposal,
): readonly Compared[] {
  return [
    ["target", to === asked?.to],
    ["value", value === asked?.value],
    ["calldata", data === asked?.data],
    ["gas limit", proposal.gas.limit === null || proposal.gas.limit === gas],
  ];
}
