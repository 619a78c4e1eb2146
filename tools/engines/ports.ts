import { randomInt } from "node:crypto";
import { createServer } from "node:net";

// Below 32768, where the kernel's range for outgoing connections begins: no port of ours can be taken by accident.
const lowest = 20_000;
const highest = 32_000;

const given = new Set<number>();

/** Returns whether the port is free on loopback. */
export function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => {
      resolve(false);
    });
    probe.listen(port, "127.0.0.1", () => {
      probe.close(() => {
        resolve(true);
      });
    });
  });
}

/** Distinct free ports, none given out before by this process. They start at random, so that processes do not meet. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const found: number[] = [];
  for (
    let port = randomInt(lowest, highest);
    found.length < count;
    port = port + 1 < highest ? port + 1 : lowest
  ) {
    if (given.has(port) || !(await isPortFree(port))) continue;
    given.add(port);
    found.push(port);
  }
  return found;
}

/** The first of `count` free ports in a row. */
export async function freePortRange(count: number): Promise<number> {
  for (;;) {
    const base = randomInt(lowest, highest - count);
    const range = Array.from({ length: count }, (_, offset) => base + offset);
    const free = await Promise.all(range.map(isPortFree));
    if (free.includes(false) || range.some((port) => given.has(port))) continue;
    for (const port of range) given.add(port);
    return base;
  }
}
