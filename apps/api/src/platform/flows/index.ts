export { defineDurableFlow } from "./durable-flow.ts";
export { makeFlows, type Flows } from "./flows.ts";
export { makeFlowStore, type FlowStore } from "./store.ts";
export { startSweeper } from "./sweeper.ts";
