export { makeSightings, type Sightings } from "./sightings.ts";
export { startWatching } from "./start-watching.ts";
export { traceChanges } from "./trace-changes.ts";
export { makeWatchStore, type WatchStore } from "./store/executions.ts";
