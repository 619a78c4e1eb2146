import { rmSync } from "node:fs";
import { freePorts } from "../engines/ports.ts";
import { findRedisServer, startRedis, type Redis } from "../engines/redis.ts";
import { makeSupervisor } from "../engines/supervisor.ts";
import { isCi } from "./is-ci.ts";
import { makeTempDir } from "./temp-dir.ts";

export type TestRedis = {
  readonly url: string;
  readonly pid: () => number;
  /** Ends the server as a power cut would. */
  readonly kill9: () => Promise<void>;
  /** Starts it again on the same port, empty. A running one is stopped first. */
  readonly restart: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

/** A Redis of its own for a test file. */
export async function startTestRedis({ password }: { readonly password?: string } = {}): Promise<TestRedis> {
  const dir = makeTempDir("redis");
  const supervisor = makeSupervisor({
    logDir: `${dir}/logs`,
    onUnexpectedExit: ({ name, reason, logFile }) => {
      console.error(`${name} of this test ended (${reason}). Its log is ${logFile}`);
    },
  });
  const [port = 0] = await freePorts(1);
  const start = (): Promise<Redis> =>
    startRedis({ supervisor, dir, port, ...(password === undefined ? {} : { password }) });
  const stop = async (): Promise<void> => {
    await supervisor.stop();
    rmSync(dir, { recursive: true, force: true });
  };
  let redis = await start().catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return {
    url: redis.url,
    pid: () => redis.pid,
    kill9: () => redis.kill(),
    restart: async () => {
      await redis.stop();
      redis = await start();
    },
    stop,
  };
}

/**
 * Redis is not from npm, so a developer's machine may lack it; then the tests that need it are skipped, and say so. On a
 * machine that decides what lands (`CI`) nothing is skipped: there they fail.
 */
export function mayDoWithoutRedis(): boolean {
  if (findRedisServer() !== undefined || isCi()) return false;
  console.warn("\n*** SKIPPED: redis-server is not installed, so shared limits are NOT tested here. ***\n");
  return true;
}
