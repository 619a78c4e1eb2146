export { freePorts, isPortFree } from "../engines/ports.ts";
export { waitUntil } from "../engines/wait.ts";
export { makeTestDatabase, type TestDatabase } from "./database.ts";
export { isCi } from "./is-ci.ts";
export { mayDoWithoutRedis, startTestRedis, type TestRedis } from "./redis-for-tests.ts";
export { startTestRestate, type TestRestate } from "./restate-for-tests.ts";
export { findRunSeed, seedFor } from "./seed.ts";
export { sizeOf } from "./size.ts";
export { makeTempDir } from "./temp-dir.ts";
