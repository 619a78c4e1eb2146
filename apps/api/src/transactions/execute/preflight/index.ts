export { makePreflight, type Candidate, type Fitness, type Preflight } from "./preflight.ts";
export { takeSnapshot } from "./snapshot.ts";
