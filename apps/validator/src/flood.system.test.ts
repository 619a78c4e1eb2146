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

test(
  "nine expensive public requests at once, repeated, leave the p99 of ordinary requests within 3 times its idle value",
  { timeout: 600_000 },
  async () => {
    // Other work on the machine only ever adds to either part: a suspicion is measured again.
    const ratios: number[] = [];
    for (let attempt = 0; attempt < 4 && !ratios.some((ratio) => ratio <= 3); attempt += 1) {
      const { idleP99, floodP99, public: answers } = await measureFlood({ port, rounds: 4, count: 100 });
      ratios.push(floodP99 / Math.max(idleP99, 5));
      console.log(
        `p99 of ordinary requests: ${idleP99.toFixed(1)} ms idle, ${floodP99.toFixed(1)} ms in the flood; ` +
          `public answers by status: ${JSON.stringify(answers)}`,
      );
      expect(Object.keys(answers).filter((status) => status !== "200" && status !== "503")).toEqual([]);
    }
    expect(Math.min(...ratios)).toBeLessThanOrEqual(3);
  },
);
