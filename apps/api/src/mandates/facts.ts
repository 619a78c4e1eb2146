// Facts about a transaction that mandates and policies decide by. The live decision and runs over past transactions take
// them from here, so that they cannot differ.
import type { Payload } from "@countersign/wire";
import { z } from "zod";

const Report = z.object({
  decision: z.literal("PASS"),
  assessment: z.object({ kind: z.literal("entailed") }),
  context: z.object({ effects: z.unknown() }),
});

/**
 * Returns the effects in a validator's report. Undefined if it has none, or if it does not pass: a verdict that approves
 * it nevertheless does not make its effects reliable.
 */
export const effectsIn = (report: unknown): unknown => Report.safeParse(report).data?.context.effects;

type Proposed = { readonly to: string | null | undefined; readonly payload: Payload | null };

/** Returns the contract that is called, or that the signature is for. */
export const addressedBy = ({ to, payload }: Proposed): string | null =>
  (to ?? payload?.typedData.domain.verifyingContract)?.toLowerCase() ?? null;
