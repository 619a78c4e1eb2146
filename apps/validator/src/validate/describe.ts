/**
 * Describes a transaction as a canonical request. The sentence is read back and compared with the transaction like any other
 * request, so that a description is returned only if the validator would confirm it.
 */
import type { Assessment } from "../assessment.ts";
import { readBytes } from "../bytes/read-bytes.ts";
import { describeEffects, type DescribedStep } from "../canonical/describe.ts";
import type { Reading } from "../effects.ts";
import type { Proposal } from "../proposal.ts";
import { readRequest, type DescribeRequest } from "../request/index.ts";
import { establishFacts } from "./1-establish-facts.ts";
import { assess } from "./assess.ts";
import type { Engine } from "./engine.ts";

export type Description = {
  /** The canonical request: reading it with the same transaction gives `entailed`. Null: there is none. */
  readonly request: string | null;
  /** Why there is no request, in one sentence. */
  readonly why: string | null;
  readonly steps: readonly DescribedStep[];
};

export function describeTransaction(body: DescribeRequest, engine: Engine, startedAt: number): Description {
  const now = BigInt(Math.floor(startedAt / 1000));
  const proposal = readRequest({ ...body, human_intent: "" }, { now, registry: engine.registry });
  const [defect] = proposal.defects;
  if (defect !== undefined)
    return refuse(
      `The transaction is malformed: ${defect.at} is ${defect.found}, expected ${defect.expected}.`,
    );
  const reading = readBytes(proposal, engine);
  const named = tryToDescribe(proposal, reading, engine, true);
  // A name next to an address may be read as something else. The address alone always works.
  return named.request === null ? tryToDescribe(proposal, reading, engine, false) : named;
}

const refuse = (why: string, steps: readonly DescribedStep[] = []): Description => ({
  request: null,
  why,
  steps,
});

function tryToDescribe(
  proposal: Proposal,
  reading: Reading,
  engine: Engine,
  withLabels: boolean,
): Description {
  const { registry, protocols } = engine;
  const steps = describeEffects(reading, { proposal, registry, protocols, withLabels });
  if (steps.length === 0) return refuse("The transaction moves nothing and grants nothing.");
  const open = steps.find(({ sentence }) => sentence === null);
  if (open !== undefined) return refuse(`We cannot describe this transaction: ${open.why ?? ""}.`, steps);
  const request = steps.map(({ sentence }) => sentence).join(" ");
  const facts = establishFacts({ ...proposal, words: request }, { engine, proven: {}, toldNow: false });
  const fault = faultOf(assess(facts, protocols));
  return fault === null ? { request, why: null, steps } : refuse(fault, steps);
}

/** Returns why the validator does not confirm the sentence, or null if it does. */
function faultOf({ kind, unread, missing }: Assessment): string | null {
  if (kind === "entailed") return null;
  const [open] = missing;
  if (kind === "not_checked" && open?.what === "worth")
    return "No request can confirm this transaction: it guarantees no minimum return.";
  if (kind === "not_checked" && open !== undefined)
    return `No request can confirm this transaction: ${open.why}`;
  const [part] = unread;
  return part === undefined
    ? "We cannot describe this transaction so that the description reads back as the same transaction."
    : `We cannot describe this transaction: “${part.text}” would not be understood.`;
}
