/** A list that the operator requires is evidence: without a fresh one the verdict is `not_checked` and claims no difference. */
import type { Assessment } from "../assessment.ts";
import type { Ran } from "./2-run-nodes.ts";
import { isOpen } from "./3-decide.ts";

export function withRequiredLists(
  assessment: Assessment,
  ran: readonly Ran[],
  { requireSanctions }: { readonly requireSanctions: boolean },
): Assessment {
  const missing = ran.flatMap((one) =>
    one.finding.status === "SKIP" && one.finding.kind === "stale_data" && isOpen(one, requireSanctions)
      ? [{ what: "list", why: one.finding.reasoning }]
      : [],
  );
  if (missing.length === 0) return assessment;
  const kind = assessment.kind === "entailed" ? "not_checked" : assessment.kind;
  return { ...assessment, kind, missing: [...assessment.missing, ...missing] };
}
