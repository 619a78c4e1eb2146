export { askReady } from "./ask-ready.ts";
