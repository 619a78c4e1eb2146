export { ask, jsonOf, knock, Unavailable, type Answer } from "./ask.ts";
