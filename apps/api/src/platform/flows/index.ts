export { defineDurableFlow, type FlowSteps } from "./durable-flow.ts";
export { makeFlows, type Flows } from "./flows.ts";
export { acceptance, hasUnfinished, makeFlowStore, type FlowStore, type Wake } from "./store.ts";
export { startSweeper } from "./sweeper.ts";
