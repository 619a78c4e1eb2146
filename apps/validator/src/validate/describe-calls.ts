/** Describes the nested calls, including wrappers, which have no effect of their own. */
import type { Effect, Knowledge, Leaf, Reading } from "../effects.ts";
import type { NamedCall } from "./name-call.ts";

type DescribedCall = {
  readonly call: string;
  readonly to: string | null;
  /** Wei. */
  readonly value: string;
  readonly function: string | null;
  readonly protocol: string | null;
  readonly known: boolean;
  readonly delegatecall: boolean;
  /** The range of its data in the proposed transaction's data. */
  readonly data: readonly [number, number] | null;
  /** Names from the operator's files, where our tables have none. */
  readonly named?: NamedCall;
  readonly calls: DescribedCall[];
};

type NameCall = (leaf: Leaf) => NamedCall | undefined;

/** A page can show so many; a transaction can have more. */
const maxNamed = 32;

export function describeCalls({ leaves, effects }: Reading, nameCall: NameCall): readonly DescribedCall[] {
  const read = new Map<string, Effect>();
  for (const effect of effects) if (!read.has(effect.where.call)) read.set(effect.where.call, effect);
  const all = new Map<string, DescribedCall>();
  const outermost: DescribedCall[] = [];
  let left = maxNamed;
  for (const leaf of leaves) {
    const known = describeCall(leaf, read.get(leaf.where));
    const named = known.known || left === 0 ? undefined : nameCall(leaf);
    const described = named === undefined ? known : { ...known, named };
    if (named !== undefined) left -= 1;
    all.set(leaf.where, described);
    // A call comes before the calls that it contains.
    (all.get(outerOf(leaf.where))?.calls ?? outermost).push(described);
  }
  return outermost;
}

const outerOf = (where: string): string => where.slice(0, Math.max(0, where.lastIndexOf("/")));

const isKnown = (knowledge: Knowledge): boolean => knowledge === "bound" || knowledge === "standard";

const named = (text: string | undefined): string | null => (text === undefined || text === "" ? null : text);

/** Plain coin transfers, and data without a selector, call no function, so their effect names them. */
function describeCall(leaf: Leaf, effect: Effect | undefined): DescribedCall {
  return {
    call: leaf.where,
    to: leaf.to,
    value: leaf.value.toString(),
    function: leaf.function ?? named(effect?.function),
    protocol: leaf.protocol ?? named(effect?.protocol),
    known: isKnown(effect?.knowledge ?? leaf.knowledge),
    delegatecall: leaf.delegatecall,
    data: leaf.place,
    calls: [],
  };
}
