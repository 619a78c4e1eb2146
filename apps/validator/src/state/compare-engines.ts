/**
 * Compares our own execution of a state with the answer of a second engine. The answer is for the state by its hash, and an agreement
 * counts only if the second engine has the result that we computed ourselves.
 */
import { readAgreement, type Agreement } from "@countersign/evm";
import type { Engines } from "../simulation.ts";
import type { StateRun } from "./run-state.ts";

type Ran = Extract<StateRun, { readonly status: "ran" }>;

type Given = {
  /** `metadata.second_engine`, as it came. Undefined if there is none. */
  readonly sent: unknown;
  /** Whether a state passes only if a second engine agrees. */
  readonly isRequired: boolean;
};

/** Adds what the second engine says. A refused state stays as it is: nothing was executed. */
export const withSecondEngine = (run: StateRun, given: Given): StateRun =>
  run.status === "ran" ? { ...run, engines: compareEngines(run, given) } : run;

function compareEngines(run: Ran, { sent, isRequired }: Given): Engines {
  if (sent === undefined)
    return { status: "cannot", engine: null, why: "no second engine was asked", isRequired };
  const agreement = readAgreement(sent);
  if (agreement === undefined)
    return { status: "refused", why: "The answer of the second engine is malformed or too large." };
  if (agreement.state !== run.hash)
    return { status: "refused", why: "The answer of the second engine is for another state." };
  const { engine } = agreement;
  if (agreement.result === "cannot") return { status: "cannot", engine, why: agreement.why, isRequired };
  return agreement.result === "differs"
    ? { status: "differs", engine, ...pick(agreement) }
    : compareWithOwn(run, agreement);
}

const pick = ({ first, second, differences }: Extract<Agreement, { result: "differs" }>) => ({
  ...{ first, second, differences },
});

/** The simulator runs the first engine as well. If ours has another result, one of the two was changed. */
function compareWithOwn(
  { result: first }: Ran,
  { engine, second }: Extract<Agreement, { result: "agree" }>,
): Engines {
  if (first.hash === second.hash) return { status: "agree", engine, first };
  const differences = [{ what: "result", first: first.hash, second: second.hash }];
  return { status: "differs", engine, first, second, differences };
}
