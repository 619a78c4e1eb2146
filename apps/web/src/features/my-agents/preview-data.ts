// The preview of a mandate, prepared for the page.
import type { MandatePreview } from "@countersign/sdk";
import { assetSymbol } from "../../lib/assets.ts";
import { counted } from "../../lib/format.ts";

export type Outcome = MandatePreview["decisions"][number]["outcome"];
type Decision = MandatePreview["decisions"][number];

export const outcomes = ["allowed", "asked", "denied"] as const satisfies readonly Outcome[];

/** How far back the page looks. */
export const previewDays = 30;

const dayMs = 86_400_000;
const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

export type Day = { readonly day: string; readonly counts: Readonly<Record<Outcome, number>> };

/** The outcomes of each of the last days in UTC. Older ones count for the first of them. */
export function perDay(decisions: readonly Pick<Decision, "at" | "outcome">[], now: Date): readonly Day[] {
  const days = Array.from({ length: previewDays }, (_, index) =>
    dayOf(now.getTime() - (previewDays - 1 - index) * dayMs),
  );
  const first = days[0] ?? "";
  const shown = decisions.map(({ at, outcome }) => ({
    outcome,
    day: at.slice(0, 10) < first ? first : at.slice(0, 10),
  }));
  return days.map((day) => {
    const of = (wanted: Outcome): number =>
      shown.filter((one) => one.day === day && one.outcome === wanted).length;
    return { day, counts: { allowed: of("allowed"), asked: of("asked"), denied: of("denied") } };
  });
}

/** The newest one that is allowed, and the newest ones that are not, each with another reason. */
export function examplesOf({ decisions }: Pick<MandatePreview, "decisions">): readonly Decision[] {
  const allowed = decisions.find(({ outcome }) => outcome === "allowed");
  const reasons = new Map<string, Decision>();
  for (const decision of decisions) {
    // The amounts that are left differ, the reason does not.
    const why = decision.reason?.message.split(": ")[0];
    if (why !== undefined && !reasons.has(why)) reasons.set(why, decision);
  }
  return [...(allowed === undefined ? [] : [allowed]), ...[...reasons.values()].slice(0, 3)];
}

/** `3,085.5`. */
function grouped(amount: string): string {
  const [whole = "", rest] = amount.split(".");
  const text = whole.replace(/\B(?=(?:\d{3})+$)/g, ",");
  return rest === undefined ? text : `${text}.${rest}`;
}

/** The sums of an outcome, without assets that it does not move: `3,085 USDC`. */
export const sumsOf = ({ totals }: Pick<MandatePreview, "totals">, outcome: Outcome): readonly string[] =>
  outcome === "denied"
    ? []
    : totals
        .filter((total) => total[outcome] !== "0")
        .map((total) => `${grouped(total[outcome])} ${assetSymbol(total.asset)}`);

/** How many have another outcome than under the present mandate. */
export const changedOf = ({ decisions }: Pick<MandatePreview, "decisions">): number =>
  decisions.filter(({ from, outcome }) => from !== null && from !== outcome).length;

/** For the review: `It would have approved 5 of 7 matching proposals and asked you about 2.` */
export function summaryOf({ transactions, counts }: Pick<MandatePreview, "transactions" | "counts">): string {
  if (transactions === 0) return `Nothing to compare: no matching proposals in the last ${previewDays} days.`;
  const denied = counts.denied === 0 ? "" : ` Your policy blocked ${counts.denied}.`;
  return `In the last ${previewDays} days it would have approved ${counts.allowed} of ${counted(transactions, "matching proposal")} and asked you about ${counts.asked}.${denied}`;
}
