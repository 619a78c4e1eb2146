// Compares the effects of two runs of one call. Fees and the accounts of proposers differ by design.
import type { Effects } from "../effects/effects.ts";
import type { Asset } from "../effects/events.ts";

export type Difference = {
  /** One sentence each, with amounts in base units. */
  readonly what: readonly string[];
  /** All amounts differ by less than a thousandth, and nothing else differs. */
  readonly isDrift: boolean;
};

const nameOf = (asset: Asset): string =>
  asset.kind === "native"
    ? "native"
    : `${asset.kind} ${asset.token}${"id" in asset ? ` ${asset.id.toString()}` : ""}`;

/** By name: an amount, or null if it cannot be measured. */
function amountsOf({ balances, approvals }: Effects): ReadonlyMap<string, bigint | null> {
  return new Map([
    ...balances.flatMap(({ asset, holder, measured, logged }): [string, bigint | null][] => [
      [`${nameOf(asset)} of ${holder}`, measured],
      [`logged ${nameOf(asset)} of ${holder}`, logged],
    ]),
    ...approvals.map(({ kind, token, id, owner, spender, after }): [string, bigint | null] => [
      `${kind} ${token}${id === null ? "" : ` ${id.toString()}`} of ${owner} for ${spender}`,
      after,
    ]),
  ]);
}

function shapeOf({ outcome, control, ownSlots, unreadable }: Effects): string {
  const slots = ownSlots.map(({ address, slot }) => `${address} ${slot}`);
  return JSON.stringify([outcome.succeeded, control, slots, unreadable]);
}

const isSmall = (one: bigint, other: bigint): boolean => {
  const size = (value: bigint): bigint => (value < 0n ? -value : value);
  return size(one - other) * 1_000n <= size(one) && one > 0n === other > 0n;
};

/** Returns null if both have the same effects. */
export function compareEffects(base: Effects, varied: Effects): Difference | null {
  if (base.outcome.succeeded !== varied.outcome.succeeded)
    return { what: [varied.outcome.succeeded ? "it succeeds" : "it fails"], isDrift: false };
  const [one, other] = [amountsOf(base), amountsOf(varied)];
  const differing = [...new Set([...one.keys(), ...other.keys()])]
    .map((name) => ({ name, before: one.get(name) ?? null, after: other.get(name) ?? null }))
    .filter(({ before, after }) => before !== after);
  const amounts = differing.map(
    ({ name, before, after }) => `${name}: ${String(after)} instead of ${String(before)}`,
  );
  if (shapeOf(base) !== shapeOf(varied))
    return { what: [...amounts, "control, storage or unreadable events differ"], isDrift: false };
  if (differing.length === 0) return null;
  const isDrift = differing.every(
    ({ before, after }) => before !== null && after !== null && isSmall(before, after),
  );
  return { what: amounts, isDrift };
}
