import { setTimeout as sleep } from "node:timers/promises";

/** Waits until the service at this port is ready. Throws after ten minutes. */
export async function waitUntilReady(port: number): Promise<void> {
  const until = performance.now() + 600_000;
  while (performance.now() < until) {
    const response = await fetch(`http://127.0.0.1:${port}/ready`).catch(() => undefined);
    await response?.body?.cancel();
    if (response?.ok === true) return;
    await sleep(500);
  }
  throw new Error(`the service at port ${port} did not become ready`);
}
