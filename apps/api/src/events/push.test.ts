import { expect, test, vi } from "vitest";
import { makeKeepAlive } from "./keep-alive.ts";
import { end, makePushed, push } from "./push.ts";

const aTick = (): Promise<unknown> => new Promise((resolve) => setImmediate(resolve));

test("drops a reader that falls a megabyte behind, and not earlier", async () => {
  const stream = makePushed();
  const line = "x".repeat(1024);
  for (let count = 0; count < 1024; count++) push(stream, line);
  expect(stream.destroyed).toBe(false);
  push(stream, "x");
  expect(stream.destroyed).toBe(true);
  push(stream, "x");
  await aTick();
  expect(stream.errored).toBeNull();
});

test("delivers data pushed before the end, and nothing after it", async () => {
  const stream = makePushed();
  push(stream, "a");
  end(stream);
  end(stream);
  push(stream, "b");
  expect(await stream.map(String).toArray()).toEqual(["a"]);
});

test("one timer keeps all streams alive, and runs only while there are streams", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const keepAlive = makeKeepAlive(1000);
  const streams = Array.from({ length: 100 }, makePushed);
  expect(vi.getTimerCount()).toBe(0);
  streams.forEach(keepAlive.add);
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(2000);
  expect(new Set(streams.map((stream) => String(stream.read())))).toEqual(
    new Set([": keep-alive\n\n: keep-alive\n\n"]),
  );
  for (const stream of streams.slice(1)) stream.destroy();
  await aTick();
  expect(vi.getTimerCount()).toBe(1);
  keepAlive.endAll();
  streams[0]?.resume();
  await aTick();
  await aTick();
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});
