export { listPlaces, onceEach, sweep, sweepOneByOne, withoutCount, type Death } from "./crash-sweep.ts";
export { consult, nothing, summarise, type Findings } from "./oracle.ts";
export { setStage, type Stage } from "./stage.ts";
export { makeTeller, type Kind, type Teller, type Told } from "./story.ts";
export type { View } from "./owner.ts";
