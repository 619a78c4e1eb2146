export { defineDurableFlow, type FlowSteps } from "./durable-flow.ts";
export { makeFlows, type Flows } from "./flows.ts";
export { defineGroupFlow, type GroupSteps } from "./group-flow.ts";
export {
  acceptance,
  finishingOf,
  hasUnfinished,
  makeFlowStore,
  wakingOf,
  type FlowStart,
  type FlowStore,
  type Wake,
} from "./store.ts";
export { startSweeper } from "./sweeper.ts";
