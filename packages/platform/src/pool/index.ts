export { makePool, PoolBusy, type Pool } from "./pool.ts";
export { serveJobs } from "./serve-jobs.ts";
