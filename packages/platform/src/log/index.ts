export { type LogFields } from "./fields.ts";
export { logLevels, makeLog, type Log } from "./log.ts";
