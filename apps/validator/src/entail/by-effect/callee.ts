/** Finds the call to a contract that is in no table. */
import type { Effect, EffectAct } from "../../effects.ts";
import type { Address } from "../../proposal.ts";
import type { World } from "../world.ts";

type Callee = {
  readonly contract: Address;
  /** The effect that the reader of the calldata found. */
  readonly call: Effect;
};

/** Functions of standard interfaces that any contract can have, and whose meaning there is not known: `deposit`, `redeem`. */
const unproven: ReadonlySet<EffectAct> = new Set<EffectAct>([
  "opaque",
  "supply",
  "withdraw",
  "stake",
  "unstake",
  "claim",
]);

/**
 * Returns the only call of the transaction, if its contract is neither a token nor a protocol of our tables, and the calldata does not
 * imitate one. Null otherwise: then the calldata is read as always.
 */
export function findCallee({ proposal, reading, registry, protocols }: World): Callee | null {
  const { chain, actor } = proposal;
  const [call] = reading.effects;
  const only = onlyCall(proposal, reading);
  if (only?.to == null || call === undefined) return null;
  const { to, data } = only;
  if (to === actor || actor === null || data.length < 10) return null;
  if (registry.token(chain.id, to) !== null || protocols.at(chain.id, to).length > 0) return null;
  return unproven.has(call.act) && !imitates(call, protocols) ? { contract: to, call } : null;
}

function onlyCall(
  { calls, typedData, message, authorizations }: World["proposal"],
  { effects, limit }: World["reading"],
): World["proposal"]["calls"][number] | undefined {
  if ((typedData ?? message) !== null || authorizations.length > 0 || limit !== null) return undefined;
  return calls.length === 1 && effects.length === 1 ? calls[0] : undefined;
}

/** A protocol without a name is a standard interface. */
const imitates = ({ act, protocol }: Effect, { all }: World["protocols"]): boolean =>
  act !== "opaque" && (all.get(protocol)?.names?.length ?? 0) > 0;
