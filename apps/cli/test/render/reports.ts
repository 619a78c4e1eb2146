// Recorded responses of the real validator and service.
import { readFileSync } from "node:fs";
import type { TransactionView } from "@countersign/sdk";

type Captured = { readonly words: string; readonly report: Readonly<Record<string, unknown>> };

const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`${name}.json`, import.meta.url), "utf8"));

export const captured = (name: string): Captured => read(name) as Captured;
export const capturedNames = ["payment", "wrong-recipient", "hidden-call", "unlimited-approval"] as const;
export const awaiting = (): TransactionView => read("awaiting-view") as TransactionView;

/** The same proposal with another verdict. */
export function judged(decision: "REJECTED" | "UNDECIDED"): TransactionView {
  const view = awaiting();
  const orion = view.approvals.orion.map((verdict) => ({ ...verdict, decision }));
  return { ...view, approvals: { ...view.approvals, orion } };
}
