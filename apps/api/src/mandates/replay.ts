// Runs the terms of a mandate over past transactions: what they would have allowed, and what the owner would have been
// asked about. The rules and reasons are those of the live decision.
import { outsideMandate, unknownEffects, whyNotCovered, type Refusal } from "./cover.ts";
import type { Move } from "./moves.ts";
import { leftOf, sharesOf, type Bound, type Counted as Counting, type Share } from "./room.ts";
import { storedSpan } from "./span.ts";
import type { Past, Step } from "./store/history.ts";
import type { Windows } from "./store/windows.ts";
import { unitsOf, type Terms } from "./terms.ts";

export type Outcome = "allowed" | "asked" | "denied";

export type Decision = {
  readonly past: Past;
  readonly outcome: Outcome;
  /** Why it is not allowed. */
  readonly reason: { readonly code: string; readonly message: string } | null;
  /** The room in each limit afterwards, in base units. A limit per transaction is whole again. */
  readonly left: readonly bigint[];
};

/** The most of a limit that was in use at once. */
type Peak = { readonly used: bigint; readonly at: Date | null };

export type Replay = { readonly decisions: readonly Decision[]; readonly peaks: readonly Peak[] };

/** An amount that counts in the window in which it was allowed. */
type Counted = { readonly past: Past; readonly amount: bigint; readonly windowStart: number };

/** Reasons that come before the mandates. They would have been the same. */
const isOfOthers = ({ code }: { readonly code: string }): boolean =>
  ["POLICY", "BY_EFFECT", "AGENT_PAUSED", "REPEATED_REQUEST", "UNKNOWN_REQUEST"].includes(code);

/**
 * Returns whether an allowed transaction was reserved, spent or released at a time. One that the owner never approved would
 * have been sent at once.
 */
function stepAt({ at, steps }: Past, now: Date): Step {
  if (steps.length === 0) return { at, use: "made" };
  return steps.findLast((step) => step.at <= now) ?? { at, use: "held" };
}

/** As `joinUsed` counts: a reservation counts in a rolling interval however old it is. */
function countsIn(span: Bound["span"], windowStart: number, now: Date, counted: Counted): boolean {
  const { at, use } = stepAt(counted.past, now);
  if (use === "released") return false;
  if (span !== "rolling") return counted.windowStart === windowStart;
  return use === "held" || at.getTime() > windowStart;
}

const isKept = ({ bound: { span } }: Share<Bound>): boolean => span !== "transaction";

/** Takes the amounts of a transaction that the mandate covers, or returns why it does not. */
function take(
  terms: Terms,
  moves: readonly Move[] | undefined,
  { bounds, prices }: Pick<Counting, "prices"> & { readonly bounds: readonly Bound[] },
): Refusal | { readonly shares: readonly Share<Bound>[] } {
  if (moves === undefined) return unknownEffects;
  const why = whyNotCovered(terms, moves);
  if (why !== undefined) return outsideMandate(why);
  const found = sharesOf(bounds, { moves, terms, prices });
  return "why" in found ? outsideMandate(found.why) : found;
}

type Given = Pick<Counting, "prices"> & { readonly windows: Windows };

/** Decides about each in the order of time, as if the mandate had been valid then and the agent's only one. */
export function replay(terms: Terms, history: readonly Past[], { windows, prices }: Given): Replay {
  const counted: Counted[][] = terms.limits.map(() => []);
  const peaks: Peak[] = terms.limits.map(() => ({ used: 0n, at: null }));

  const boundsAt = (now: Date, starts: readonly number[]): readonly Bound[] =>
    terms.limits.map((limit, position) => {
      const { span } = storedSpan(limit.span);
      const uses = (counted[position] ?? []).filter((one) => countsIn(span, starts[position] ?? 0, now, one));
      const used = uses.reduce((sum, { amount }) => sum + amount, 0n);
      return { position, measure: limit.measure, span, most: unitsOf(limit), used };
    });

  const count = (past: Past, shares: readonly Share<Bound>[], starts: readonly number[]): void => {
    for (const share of shares) {
      const { amount, bound } = share;
      if (isKept(share))
        counted[bound.position]?.push({ past, amount, windowStart: starts[bound.position] ?? 0 });
      if (bound.used + amount > (peaks[bound.position]?.used ?? 0n))
        peaks[bound.position] = { used: bound.used + amount, at: past.at };
    }
  };

  const decisions = history.map((past, index): Decision => {
    const starts = windows[index] ?? [];
    const bounds = boundsAt(past.at, starts);
    const left = bounds.map(leftOf);
    if (past.denied !== null)
      return { past, outcome: "denied", reason: { code: "POLICY", message: past.denied }, left };
    if (past.needsOwner !== null && isOfOthers(past.needsOwner))
      return { past, outcome: "asked", reason: past.needsOwner, left };
    const taken = take(terms, past.moves, { bounds, prices });
    if ("code" in taken) return { past, outcome: "asked", reason: taken, left };
    count(past, taken.shares, starts);
    const after = new Map(taken.shares.filter(isKept).map(({ bound, amount }) => [bound.position, amount]));
    return {
      ...{ past, outcome: "allowed", reason: null },
      left: left.map((room, position) => room - (after.get(position) ?? 0n)),
    };
  });
  return { decisions, peaks };
}
