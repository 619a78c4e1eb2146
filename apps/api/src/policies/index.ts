export { asksByEffect, judgeByPolicy } from "./store/judge.ts";
