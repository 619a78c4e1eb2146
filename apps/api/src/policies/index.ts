export { judgeByPolicy } from "./store/judge.ts";
