// The shared limiter without a Redis that works. With a real one: apps/api/src/shared-limits.system.test.ts.
import { createServer, type AddressInfo, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { makeSharedLimiter, type SharedLimiter } from "./limit-shared.ts";
import { perIp, type LimitState } from "./limit.ts";
import { aClock, aLog } from "../../test/http.ts";

/** A server that takes every connection and does with it as told. */
async function aServer(treat: (socket: Socket) => void): Promise<{ readonly port: number }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on("error", () => undefined));
    treat(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return server.address() as AddressInfo;
}

function aSharedLimiter(port: number) {
  const { log, lines, text } = aLog();
  const redisUrl = `redis://:hunter2hunter2@127.0.0.1:${port}`;
  const clock = aClock();
  const limiter = makeSharedLimiter({ redisUrl, app: "test", clock, log });
  onTestFinished(limiter.close);
  return { limiter, clock, lines, text };
}

const ask = async (limiter: SharedLimiter): Promise<LimitState> =>
  limiter.count({ limit: perIp(3), route: "GET /", key: "10.0.0.1" });

const refused = { code: "request.too-many", headers: { "Retry-After": "60", "X-RateLimit-Remaining": "0" } };

test("counts locally while Redis is unreachable, and logs it once", async () => {
  const { port } = await aServer((socket) => socket.destroy());
  const { limiter, clock, lines, text } = aSharedLimiter(port);
  for (const remaining of [2, 1, 0]) {
    expect(await ask(limiter)).toMatchObject({ limit: 3, remaining });
    await sleep(150);
  }
  await expect(ask(limiter)).rejects.toMatchObject(refused);
  await expect(limiter.probe()).rejects.toThrow();
  expect(lines()).toHaveLength(1);
  expect(lines()[0]).toMatchObject({ msg: "Redis is away: each process counts its limits alone" });
  expect(text()).not.toContain("hunter2");
  clock.move(60_000);
  expect(await ask(limiter)).toMatchObject({ remaining: 2 });
});

test("does not wait for a Redis that takes connections and says nothing", async () => {
  const { port } = await aServer(() => undefined);
  const { limiter, lines } = aSharedLimiter(port);
  await vi.waitUntil(() => lines().length > 0, { timeout: 20_000 });
  const asking = async (): Promise<string> => {
    for (let i = 0; i < 3; i++) await ask(limiter);
    await expect(ask(limiter)).rejects.toMatchObject(refused);
    return "at once";
  };
  // Work without a timer or a response finishes before any timer, even on a busy machine.
  expect(await Promise.race([asking(), sleep(1, "after a while")])).toBe("at once");
  expect(lines()).toHaveLength(1);
});

test("says nothing when it is closed before it ever reached Redis", async () => {
  const { port } = await aServer(() => undefined);
  const { limiter, lines } = aSharedLimiter(port);
  limiter.close();
  await sleep(100);
  expect(lines()).toEqual([]);
  expect(await ask(limiter)).toMatchObject({ remaining: 2 });
});
