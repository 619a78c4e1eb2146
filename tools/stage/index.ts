export { sweep, type Death } from "./crash-sweep.ts";
export { findUnlisted, listPlaces, onceEach, readPlaces, type Case } from "./places.ts";
export { consult, nothing, summarise, type Findings, type Followed } from "./oracle.ts";
export { setStage, type Stage } from "./stage.ts";
export { makeTeller, type Kind, type Teller, type Told } from "./story.ts";
export { anOwner, type Kept, type Owner, type View } from "./owner.ts";
export { unpackWriteAheadLog } from "./write-ahead-log.ts";
