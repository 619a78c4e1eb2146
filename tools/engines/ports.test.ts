import { createServer } from "node:net";
import { expect, it } from "vitest";
import { freePortRange, freePorts, isPortFree } from "./ports.ts";

it("gives out each port once, below the range of outgoing connections", async () => {
  const ports = [...(await freePorts(20)), ...(await freePorts(20))];
  expect(new Set(ports).size).toBe(40);
  expect(Math.max(...ports)).toBeLessThan(32_000);
});

it("detects a port in use", async () => {
  const [port = 0] = await freePorts(1);
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  expect(await isPortFree(port)).toBe(false);
  await new Promise((resolve) => server.close(resolve));
  expect(await isPortFree(port)).toBe(true);
});

it("reserves a range of ports for one caller", async () => {
  const base = await freePortRange(5);
  const taken = new Set(Array.from({ length: 5 }, (_, offset) => base + offset));
  expect((await freePorts(30)).filter((port) => taken.has(port))).toEqual([]);
});
