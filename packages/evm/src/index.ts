// The whole interface of the package. No I/O, no clock, no randomness: the same input gives the same result for ever.
export {
  readEffects,
  type Approval,
  type BalanceChange,
  type ControlChange,
  type Effects,
  type EffectsOptions,
} from "./effects/effects.ts";
export { type Asset } from "./effects/events.ts";
export {
  makeMachine,
  runLimits,
  type Log,
  type Machine,
  type MachineOptions,
  type Outcome,
  type Scene,
} from "./engine/machine.ts";
export { nextBlock, type BlockValues } from "./engine/next-block.ts";
export { sceneOf } from "./engine/scene.ts";
export { LimitExceeded, MissingBlockHash, MissingState, NotExecutable } from "./engine/stop.ts";
export { type Surrounding } from "./engine/watched-opcodes.ts";
export { type OnMissing, type SlotChange, type Source } from "./engine/witness-state.ts";
export { noCode } from "./hex.ts";
export { findSwitches, perturb, type Divergence, type Perturbation, type Switch } from "./perturb/perturb.ts";
export { listVariants, type Knob, type Variant } from "./perturb/variants.ts";
export { readAncestry, readHeader, type Header } from "./proof/header.ts";
export { Unproven } from "./proof/unproven.ts";
export { verifyWitness, type ProvenWitness } from "./proof/verify-witness.ts";
export { hashResult } from "./result.ts";
export { feedCall, feedDecimals, findFeed, type Price } from "./simulate/feeds.ts";
export { listMentions } from "./simulate/mentions.ts";
export { simulate, type Simulation } from "./simulate/simulate.ts";
export {
  hashWitness,
  isSentByContract,
  limits,
  readWitness,
  type Call,
  type Hardfork,
  type Witness,
  type WitnessAccount,
} from "./witness.ts";
