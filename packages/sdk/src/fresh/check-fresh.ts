// The last check of a guard before it sends: simulates the approved call on the newest block of the wallet's node and compares the result
// with the bounds in the signed report.
import { findBreaches, readBounds } from "@countersign/wire";
import type { Countersign } from "../client.ts";
import { verifyReceipt, type Trust } from "../receipt/verify-receipt.ts";
import type { TransactionView } from "../types.ts";
import type { FreshOptions } from "./fresh-options.ts";
import { NotSimulated, simulateFresh, type Ask, type FreshCall } from "./simulate-fresh.ts";
import { StateChangedError } from "./state-changed.ts";

type Parts = FreshOptions & {
  readonly countersign: Pick<Countersign, "receipt">;
  readonly trust?: Trust | undefined;
  readonly ask: Ask;
};

type Approved = { readonly decided: TransactionView; readonly reviewUrl?: string | undefined };

type Found =
  | { readonly kind: "fresh" }
  | { readonly kind: "changed"; readonly changes: readonly string[] }
  | { readonly kind: "unknown"; readonly why: string; readonly hasBounds: boolean };

/** Throws a StateChangedError if the effects are outside the approved bounds, or if they must be known and are not. */
export async function checkFresh(parts: Parts, approved: Approved, call: FreshCall): Promise<void> {
  const { decided, reviewUrl } = approved;
  const { fresh = true, requireFresh = false, onNotFresh } = parts;
  if (!fresh && !requireFresh) return;
  const found = await compare(parts, decided, call);
  if (found.kind === "fresh") return;
  if (found.kind === "changed") throw new StateChangedError(found.changes, decided, reviewUrl);
  const { why, hasBounds } = found;
  if (requireFresh)
    throw new StateChangedError([`it could not be simulated again: ${why}`], decided, reviewUrl);
  if (onNotFresh !== undefined) onNotFresh(why);
  else if (hasBounds) printWarning(why);
}

async function compare(parts: Parts, decided: TransactionView, call: FreshCall): Promise<Found> {
  const fetched = await fetchReport(parts, decided);
  if ("why" in fetched) return { kind: "unknown", hasBounds: true, ...fetched };
  const bounds = readBounds(fetched.report);
  if ("why" in bounds) return { kind: "unknown", why: bounds.why, hasBounds: bounds.isMalformed };
  if (bounds.account !== call.from.toLowerCase())
    return { kind: "unknown", why: "the bounds in the report are those of another account", hasBounds: true };
  try {
    const changes = findBreaches(bounds, await simulateFresh(parts.ask, bounds, call));
    return changes.length > 0 ? { kind: "changed", changes } : { kind: "fresh" };
  } catch (error) {
    if (error instanceof NotSimulated) return { kind: "unknown", why: error.message, hasBounds: true };
    throw error;
  }
}

/** With a trusted signer the bounds count only if it signed them. */
async function fetchReport(
  { countersign, trust }: Parts,
  { requestHash }: TransactionView,
): Promise<{ readonly report: unknown } | { readonly why: string }> {
  try {
    const receipt = await countersign.receipt(requestHash);
    const isValid = trust === undefined || (await verifyReceipt(receipt, trust)).isValid;
    return isValid ? { report: receipt.report } : { why: "the receipt is not valid" };
  } catch (error) {
    return {
      why: `the receipt could not be read: ${error instanceof Error ? error.message : "unknown error"}`,
    };
  }
}

const printWarning = (why: string): void => {
  // eslint-disable-next-line no-console -- The owner should know; onNotFresh replaces it.
  console.warn(`Countersign: sent without a second simulation: ${why}`);
};
