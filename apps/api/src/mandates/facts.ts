// Facts about a transaction that mandates and policies decide by. The live decision and runs over past transactions take
// them from here, so that they cannot differ.
import type { BatchCall, Payload, TypedData } from "@countersign/wire";
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

type Proposed = {
  readonly to: string | null | undefined;
  readonly value: bigint;
  readonly payload: Payload | null;
};

/** `to` is null if it is not known, or not one address. */
type Called = { readonly to: string | null; readonly value: bigint };

/** Returns the contract that is called, or that the signature is for, and the wei that are sent. */
export function calledBy({ to, value, payload }: Proposed): Called {
  switch (payload?.shape) {
    case undefined:
      return { to: to?.toLowerCase() ?? null, value };
    case "typedData":
      return calledBySignature(payload.typedData);
    case "calls":
      return calledByBatch(payload.calls.calls);
    case "safeTransaction":
      return { to: payload.safeTransaction.safe, value: BigInt(payload.safeTransaction.value) };
    // Neither calls a contract. The delegate of an authorization gets the account, so a rule for calls to it does not apply.
    case "message":
    case "authorizationList":
      return { to: null, value: 0n };
    // As for a transaction to the account: what it does with the call is in the report's effects.
    case "userOperation":
      return { to: payload.userOperation.sender, value: 0n };
  }
}

const calledBySignature = ({ domain }: TypedData): Called => ({
  to: domain.verifyingContract?.toLowerCase() ?? null,
  value: 0n,
});

function calledByBatch(calls: readonly BatchCall[]): Called {
  const [to = null, ...others] = new Set(calls.map((call) => call.to.toLowerCase()));
  return {
    to: others.length === 0 ? to : null,
    value: calls.reduce((sum, call) => sum + BigInt(call.value), 0n),
  };
}
