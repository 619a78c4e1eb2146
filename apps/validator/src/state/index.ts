/** The state of the chain in a request: taken out, verified, executed, and bound to the proposal. */
export { bindState } from "./bind-state.ts";
export { withSecondEngine } from "./compare-engines.ts";
export { missingState, refuseState, runState, type StateRun } from "./run-state.ts";
export { takeState } from "./take-state.ts";
