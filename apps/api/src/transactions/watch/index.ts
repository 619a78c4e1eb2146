export { startWatching } from "./start-watching.ts";
export { makeWatchStore } from "./store.ts";
