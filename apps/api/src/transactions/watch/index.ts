export { makeSightings, type Sightings } from "./sightings.ts";
export { startWatching } from "./start-watching.ts";
export { makeWatchStore } from "./store.ts";
