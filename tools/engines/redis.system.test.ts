import { existsSync, rmSync, statSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mayDoWithoutRedis } from "../testing/redis-for-tests.ts";
import { makeTempDir } from "../testing/temp-dir.ts";
import { freePorts } from "./ports.ts";
import { startRedis } from "./redis.ts";
import { readSocketsOf, staysAtHome } from "./sockets.ts";
import { makeSupervisor, type Supervisor } from "./supervisor.ts";

const dir = makeTempDir("redis");
let supervisor: Supervisor;
let port: number;

beforeAll(async () => {
  supervisor = makeSupervisor({ logDir: `${dir}/logs` });
  [port = 0] = await freePorts(1);
});
afterAll(async () => {
  await supervisor.stop();
  rmSync(dir, { recursive: true });
});

it("is told in a sentence when it is not installed", async () => {
  await expect(startRedis({ supervisor, dir, port, path: dir })).rejects.toThrow(
    "redis-server is not installed on this machine. On Debian: apt-get install redis-server",
  );
});

describe.skipIf(mayDoWithoutRedis())("redis-server", () => {
  it("listens on loopback only, keeps nothing on disk, and starts again after a SIGKILL", async () => {
    const redis = await startRedis({ supervisor, dir: `${dir}/data`, port, password: "a b@c" });
    expect(redis.url).toBe(`redis://:a%20b%40c@127.0.0.1:${port}`);
    expect(readSocketsOf(redis.pid).filter((socket) => !staysAtHome(socket))).toEqual([]);
    expect(statSync(`${dir}/data/redis.conf`).mode & 0o777).toBe(0o600);
    await redis.kill();
    const again = await startRedis({ supervisor, dir: `${dir}/data`, port });
    await again.stop();
    expect(existsSync(`${dir}/data/dump.rdb`)).toBe(false);
  });
});
