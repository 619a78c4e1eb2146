// Contracts that try to keep the service busy: each ends within its limits, and other requests are answered meanwhile.
import { rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { createTestClient, http } from "viem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readAgreement, type Agreement } from "@countersign/evm";
import { loadConfig } from "@countersign/platform/config";
import { makeService } from "@countersign/platform/http";
import { makeLog } from "@countersign/platform/log";
import { devAccounts, makeSupervisor, startAnvil } from "@countersign/tools/engines";
import { freePorts, makeTempDir } from "@countersign/tools/testing";
import type { Hex } from "@countersign/wire";
import { makeApp, type App } from "./app.ts";
import { Config } from "./config.ts";

const dir = makeTempDir("hostile");
const supervisor = makeSupervisor({ logDir: dir });
const [alice = "0x", bob = "0x"] = devAccounts().map(({ address }) => address.toLowerCase() as Hex);
const hostile: Hex = `0x${"66".repeat(20)}`;
const helper: Hex = `0x${"67".repeat(20)}`;
const [captureCpuMs, engineCpuMs] = [4_000, 400];
let app: App;
let service: Awaited<ReturnType<typeof makeService>>;
let chain: ReturnType<typeof createTestClient>;

beforeAll(async () => {
  const [port = 0] = await freePorts(1);
  const anvil = await startAnvil({ supervisor, dir: `${dir}/anvil`, port, chainId: 1 });
  chain = createTestClient({ mode: "anvil", transport: http(anvil.url) });
  await chain.mine({ blocks: 1 });
  const settings = {
    ...{ RPC_URLS: `1=${anvil.url}`, RPC_TIMEOUT_MS: "30000", CAPTURE_TIMEOUT_MS: "60000" },
    ...{ CAPTURE_WORKERS: "2", CAPTURE_CPU_MS: String(captureCpuMs) },
    ...{ SECOND_ENGINE_CPU_MS: String(engineCpuMs), SECOND_ENGINE_TIMEOUT_MS: "60000" },
  };
  app = makeApp(loadConfig(Config, settings), makeLog({ app: "test", level: "silent" }));
  await app.start();
  service = await makeService(app.service);
}, 120_000);
afterAll(async () => {
  await app.close();
  await supervisor.stop();
  rmSync(dir, { recursive: true, force: true });
});

const post = (payload: object) =>
  service.inject({ method: "POST", url: "/states", payload: { chainId: 1, from: alice, calls: [payload] } });
const count = async (metric: string): Promise<number> =>
  Number(new RegExp(`^${metric}\\{[^}]*\\} (\\d+)`, "m").exec((await service.inject("/metrics")).body)?.[1]);

/** CPU time of this process in milliseconds: the service and its capture threads, not the second engine. */
const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** Loops until little gas is left. */
const burnGas = "0x5b62030d405a1160005700";
/** Counts down from 196,607: 5 million gas. */
const countDown = "0x6202ffff5b600190038060045700";
/** Returns so many bytes of memory. */
const returning = (bytes: number): Hex => `0x63${bytes.toString(16).padStart(8, "0")}5ff3`;
/** Calls the helper seven times and copies what it returns. */
const callHelper = `5f5f5f5f5f73${helper.slice(2)}5af1503d5f5f3e`;

type Ended = { readonly status: number; readonly second?: Agreement; readonly message?: string };

async function run(
  code: Hex,
): Promise<Ended & { readonly others: readonly number[]; readonly usedMs: number }> {
  await chain.setCode({ address: hostile, bytecode: code });
  await chain.mine({ blocks: 1 });
  const before = cpuMs();
  const running = post({ to: hostile, data: "0x12345678" });
  const usedMs = running.then(() => cpuMs() - before);
  await sleep(50);
  const others: number[] = [];
  for (let at = 0; at < 3; at += 1) others.push((await post({ to: bob, value: "5" })).statusCode);
  others.push((await service.inject("/ready")).statusCode);
  const answer = await running;
  const { second_engine: sent, message } = answer.json<{ second_engine?: unknown; message?: string }>();
  const second = readAgreement(sent);
  return {
    ...{ status: answer.statusCode, others, usedMs: await usedMs },
    ...(second === undefined ? {} : { second }),
    ...(message === undefined ? {} : { message }),
  };
}

describe(
  "a hostile contract ends within its limits, and others are answered meanwhile",
  { timeout: 120_000 },
  () => {
    test.each<[string, Hex, Partial<Record<keyof Ended, unknown>>]>([
      // A slow machine spends its CPU time before all gas is used.
      ["an endless loop", "0x5b600056", { status: expect.toBeOneOf([200, 422]) }],
      [
        "a loop that uses all gas of a block and succeeds",
        burnGas,
        { status: 422, message: expect.stringMatching(/too (?:long|much)|jumps and calls/) },
      ],
      [
        "10 MB of return data, for which no transaction has the gas",
        returning(10 * 2 ** 20),
        { status: 200 },
      ],
      ["2.5 MB of return data", returning(2.5 * 2 ** 20), { status: 200, second: { result: "agree" } }],
      [
        "7 MB of return data from seven calls",
        `0x${callHelper.repeat(7)}00`,
        { status: 200, second: { result: "agree" } },
      ],
      ["calls of itself as deep as they go", "0x5f5f5f5f5f305af100", { status: 200 }],
      ["calls of itself in a loop", "0x5b5f5f5f5f5f305af1505f56", { status: expect.toBeOneOf([200, 422]) }],
      ["a log of 1 MB", "0x621000005fa000", { status: 422, message: expect.stringContaining("more logs") }],
      [
        "two thousand logs",
        `0x${"5f5fa0".repeat(2_000)}00`,
        { status: 422, message: expect.stringContaining("more logs") },
      ],
      [
        "a run that takes the second engine too long",
        countDown,
        { status: 200, second: { result: "cannot", why: "the second engine exceeded its limit" } },
      ],
    ])("%s", async (_, code, expected) => {
      await chain.setCode({ address: helper, bytecode: returning(2 ** 20) });
      const { others, usedMs, ...ended } = await run(code);
      expect(others).toEqual([200, 200, 200, 200]);
      expect(ended).toMatchObject(expected);
      // The thread may be replaced, which loads the engine again, and three payments were simulated.
      expect(usedMs).toBeLessThan(captureCpuMs + 6_000);
    });

    test("and both engines serve again afterwards", async () => {
      expect(await count("second_engine_ended_total")).toBeGreaterThan(0);
      expect(await count("second_engine_differs_total")).toBe(0);
      const answer = await post({ to: bob, value: "5" });
      expect(answer.json()).toMatchObject({ second_engine: { result: "agree" } });
    });
  },
);
