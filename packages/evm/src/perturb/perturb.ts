// Finds calls that behave only while they are watched: whose effects depend on the block they are in, on the gas they get, or
// on a switch that another account can turn.
import type { Hex } from "@countersign/wire";
import { readEffects, type Effects, type EffectsOptions } from "../effects/effects.ts";
import { makeMachine } from "../engine/machine.ts";
import type { Scene } from "../engine/scene-type.ts";
import type { Outcome } from "../engine/outcome.ts";
import { LimitExceeded, NotExecutable } from "../engine/stop.ts";
import type { Surrounding } from "../engine/watched-opcodes.ts";
import type { Source } from "../engine/witness-state.ts";
import { compareEffects, type Difference } from "./compare.ts";
import { listVariants, type Knob, type Variant } from "./variants.ts";

export type Divergence = Difference & { readonly knob: Knob; readonly name: string };

export type Perturbation = {
  readonly effects: Effects;
  /** Values that the call read, each with the code that read it. */
  readonly reads: readonly { readonly what: Surrounding; readonly by: readonly Hex[] }[];
  /** How many variants were executed. */
  readonly runs: number;
  readonly divergences: readonly Divergence[];
};

/** Amounts may grow with time, as interest does. Nothing else is a reason for an effect to drift. */
const mayDrift: readonly Knob[] = ["time", "number"];

/** With too little gas, after its deadline, or if it refuses wallets, a transaction fails. That costs its gas and nothing else. */
const mayFail: readonly Knob[] = ["gas", "time", "number", "wallet"];

/** Whether two runs did the same for the holders, fees apart. Then there is nothing to measure. */
function gistOf(outcome: Outcome, { block, call }: Scene, holders: readonly Hex[]): string {
  const { succeeded, logs, slots, codes, fee } = outcome;
  const native = outcome.balances
    .filter(({ address }) => address !== block.coinbase || holders.includes(address))
    .map(({ address, change }) => [address, (address === call.from ? change + fee : change).toString()])
    .filter(([, change]) => change !== "0");
  const own = slots.filter(({ address }) => holders.includes(address));
  return JSON.stringify([
    ...[succeeded, logs, native, codes],
    own.map(({ address, slot, after }) => [address, slot, after.toString()]),
  ]);
}

type Base = { readonly scene: Scene; readonly effects: Effects; readonly options: EffectsOptions };

/** Returns undefined if the variant cannot be in a block. */
async function findDifference(base: Base, scene: Scene): Promise<Difference | null | undefined> {
  const { holders, onMissing, checkBudget } = base.options;
  try {
    const outcome = await (await makeMachine(scene, { onMissing, checkBudget })).run();
    if (gistOf(outcome, scene, holders) === gistOf(base.effects.outcome, base.scene, holders)) return null;
    const varied = await readEffects(scene, { ...base.options, onRead: undefined });
    return compareEffects(base.effects, varied);
  } catch (error) {
    if (error instanceof NotExecutable) return undefined;
    if (error instanceof LimitExceeded)
      return { what: [`it exceeds a limit: ${error.message}`], isDrift: false };
    throw error;
  }
}

async function tryVariant(
  base: Base,
  { knob, name, scene }: Variant,
): Promise<Divergence | null | undefined> {
  const difference = await findDifference(base, scene);
  if (difference === undefined || difference === null) return difference;
  if (mayFail.includes(knob) && difference.what[0] === "it fails") return null;
  return { ...difference, isDrift: difference.isDrift && mayDrift.includes(knob), knob, name };
}

/** Runs the call and its variants. Throws what `Machine.run` throws for the call itself, and MissingState for any run. */
export async function perturb(scene: Scene, options: EffectsOptions): Promise<Perturbation> {
  const reads = new Map<Surrounding, Set<Hex>>();
  const onRead = (what: Surrounding, by: Hex): void => {
    reads.set(what, (reads.get(what) ?? new Set()).add(by));
  };
  const effects = await readEffects(scene, { ...options, onRead });
  const base = { scene, effects, options };
  const found: (Divergence | null)[] = [];
  for (const variant of listVariants(scene, { ...effects.outcome, reads: new Set(reads.keys()) })) {
    const divergence = await tryVariant(base, variant);
    if (divergence !== undefined) found.push(divergence);
  }
  return {
    effects,
    reads: [...reads]
      .map(([what, by]) => ({ what, by: [...by].sort() }))
      .sort((one, other) => (one.what < other.what ? -1 : 1)),
    runs: found.length,
    divergences: found.filter((one) => one !== null),
  };
}

export type Switch = { readonly address: Hex; readonly slot: Hex; readonly what: readonly string[] };

const maxSwitches = 64;

/**
 * Returns the slots of unknown contracts that the call reads and does not write, and that change its effects when they are turned
 * from zero to one or from anything else to zero. A run that fails then is not listed.
 */
export async function findSwitches(
  scene: Scene,
  options: EffectsOptions & { readonly isKnownCode: (codeHash: Hex) => boolean },
): Promise<readonly Switch[]> {
  const machine = await makeMachine(scene, options);
  await machine.run();
  const effects = await readEffects(scene, options);
  const isWritten = (address: Hex, slot: Hex): boolean =>
    effects.outcome.slots.some((one) => one.address === address && one.slot === slot);
  const candidates = machine.state
    .listSlotsRead()
    .filter(
      ({ address, slot }) =>
        !options.isKnownCode(scene.source.findAccount(address)?.codeHash ?? "0x") &&
        !isWritten(address, slot),
    );
  if (candidates.length > maxSwitches) throw new LimitExceeded("more switches than can be tried");
  const found: Switch[] = [];
  for (const { address, slot } of candidates) {
    const difference = await findDifference({ scene, effects, options }, turn(scene, address, slot));
    if (difference && difference.what[0] !== "it fails") found.push({ address, slot, what: difference.what });
  }
  return found;
}

function turn(scene: Scene, address: Hex, slot: Hex): Scene {
  const { source } = scene;
  const findSlot: Source["findSlot"] = (where, which) => {
    const value = source.findSlot(where, which);
    if (where !== address || which !== slot || value === undefined) return value;
    return value === "0x0" ? "0x1" : "0x0";
  };
  return { ...scene, source: { ...source, findSlot } };
}
