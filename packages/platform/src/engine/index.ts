export { connectEngine, type Engine } from "./connect-engine.ts";
export {
  defineFlow,
  FlowCannotGoOn,
  isFinal,
  type Flow,
  type FlowInput,
  type GroupWork,
  type Journalled,
  type Steps,
} from "./define-flow.ts";
export { registerSettings, runRegister } from "./register-command.ts";
export { registerFlows } from "./register-flows.ts";
export { serveFlows } from "./serve-flows.ts";
