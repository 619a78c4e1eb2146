export { isPaused } from "./store/pauses.ts";
