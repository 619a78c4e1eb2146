export { edrName } from "./edr-name.ts";
// Types only: importing the worker would start it.
export type { EdrReply } from "./edr-worker.ts";
export type { EdrScene } from "./edr.ts";
export { makeSecondEngine, type FirstRun, type SecondEngine } from "./second-engine.ts";
export { whyUnsupported } from "./unsupported.ts";
