// The whole interface of the package. No I/O, no clock, no randomness: the same input gives the same result for ever.
export { agree, cannotTell, readAgreement, type Agreement } from "./agreement/agreement.ts";
export { type EngineDifference } from "./agreement/compare-results.ts";
export {
  engineResultOf,
  summarizeResult,
  type EngineResult,
  type EngineSummary,
} from "./agreement/engine-result.ts";
export {
  readEffects,
  type Approval,
  type BalanceChange,
  type ControlChange,
  type Effects,
  type EffectsOptions,
} from "./effects/effects.ts";
export { type Asset } from "./effects/events.ts";
export { makeMachine, type Machine, type MachineOptions } from "./engine/machine.ts";
export { callsOf } from "./engine/calls.ts";
export { nextBlock, type BlockValues } from "./engine/next-block.ts";
export { type Log, type Outcome } from "./engine/outcome.ts";
export { type Scene } from "./engine/scene-type.ts";
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
export { estimateGas } from "./simulate/estimate-gas.ts";
export { feedCall, feedDecimals, findFeed, type Price } from "./simulate/feeds.ts";
export { listNameReads, type ResolvedName } from "./simulate/names.ts";
export { symbolCall, type Party, type TokenClaim } from "./simulate/parties.ts";
export { listSafeCalls } from "./simulate/inner-calls.ts";
export { listNamed, ownerCall, simulate, type Simulation } from "./simulate/simulate.ts";
export {
  hashWitness,
  limits,
  readWitness,
  type Call,
  type FollowingCall,
  type Hardfork,
  type Witness,
  type WitnessAccount,
} from "./witness.ts";
