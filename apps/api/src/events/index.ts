export { makeEventStore } from "./store.ts";
export { makeTail, type Tail } from "./tail.ts";
export { makeWaitForChange, type WaitForChange } from "./wait-for-change.ts";
