/** Gas fields with which the transaction cannot run, or costs an absurd amount. */
import { defineNode, fail, judgeDefects, skip } from "../../node.ts";
import type { Call, Gas } from "../../facts.ts";

const mostLimit = 30_000_000n;

/** Intrinsic gas: 21,000 (53,000 for a deployment) plus 4 or 16 per byte. */
function intrinsic({ to, data }: Call): bigint {
  let bytes = 0;
  for (let at = 2; at + 1 < data.length; at += 2) bytes += data[at] === "0" && data[at + 1] === "0" ? 4 : 16;
  return (to === null ? 53_000n : 21_000n) + BigInt(bytes);
}

function faultOf({ limit, maxFee, priorityFee }: Gas, calls: readonly Call[]): string | null {
  const [only] = calls;
  if (maxFee !== null && priorityFee !== null && maxFee < priorityFee)
    return "the priority fee is higher than the maximum fee";
  if (limit === null || limit === 0n) return null;
  if (limit > mostLimit) return `a limit of ${limit.toString()} is more than a block allows`;
  if (only !== undefined && calls.length === 1 && limit < intrinsic(only))
    return `a limit of ${limit.toString()} is less than the ${intrinsic(only).toString()} of intrinsic gas`;
  return null;
}

export default defineNode({
  title: "Gas fields are plausible",
  failTitle: "Implausible gas fields",
  severity: "medium",
  needs: ["proposal"],
  check({ proposal }) {
    const fix = "Take the gas fields from an estimate.";
    const found = judgeDefects(proposal.defects, {
      check: "gas_sane",
      ok: "The gas fields are plausible.",
      fix,
    });
    // A field that is not a number is a format error: its author did not mean the value that would be sent.
    if (found.status === "FAIL") return { ...found, severity: "high" };
    if (Object.values(proposal.gas).every((field) => field === null || field === 0n))
      return skip("not_applicable", "The caller sent no gas fields.");
    const fault = faultOf(proposal.gas, proposal.calls);
    if (fault === null) return found;
    return fail(`The gas fields are not plausible: ${fault}.`, {
      expected: "gas fields with which the transaction can run",
      observed: fault,
      where: { call: "proposed_tx", field: "gas" },
      fix,
    });
  },
});
