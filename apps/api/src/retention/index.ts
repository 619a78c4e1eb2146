export { makeRetentionStore, type Counted, type Listed, type RetentionStore } from "./store.ts";
export { firstIdOf, makeRetentionSweep } from "./sweep.ts";
