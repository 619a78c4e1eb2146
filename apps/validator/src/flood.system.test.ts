import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeSupervisor, type Supervisor } from "@countersign/tools/engines";
import { freePorts, makeTempDir, waitUntil } from "@countersign/tools/testing";
import { measureFlood } from "../test/flood.ts";

let supervisor: Supervisor;
let port = 0;
beforeAll(async () => {
  supervisor = makeSupervisor({ logDir: makeTempDir("validator") });
  [port = 0] = await freePorts(1);
  const child = supervisor.start({
    name: "validator",
    command: process.execPath,
    args: [fileURLToPath(new URL("main.ts", import.meta.url))],
    cwd: "/",
    env: { PORT: String(port), LOG_LEVEL: "warn" },
  });
  const isReady = async (): Promise<void> => {
    expect((await fetch(`http://127.0.0.1:${port}/ready`)).status).toBe(200);
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    expect(metrics).toContain('\nvalidate_workers{app="validator"} 2');
  };
  await waitUntil("all workers are ready", isReady, { seconds: 180, child });
}, 200_000);
afterAll(() => supervisor.stop());

// Idle and flood alternate within each round, so other work on the machine affects both parts of a ratio. The median
// ignores the few rounds in which it affected only one.
test(
  "nine expensive public requests at once, repeated, leave the p99 of ordinary requests within 3 times its idle value",
  { timeout: 600_000 },
  async () => {
    const { idleP99, floodP99, medianRatio, ...rest } = await measureFlood({ port, rounds: 9, count: 50 });
    console.log(
      `p99 of ordinary requests: ${idleP99.toFixed(1)} ms idle, ${floodP99.toFixed(1)} ms in the flood, ` +
        `median ratio of the rounds ${medianRatio.toFixed(2)}; public answers by status: ${JSON.stringify(rest.public)}`,
    );
    expect(Object.keys(rest.public).filter((status) => status !== "200" && status !== "503")).toEqual([]);
    expect(medianRatio).toBeLessThanOrEqual(3);
  },
);
