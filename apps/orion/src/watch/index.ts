export { makeWatch, startWatch, type RunningWatch } from "./watch-inbox.ts";
