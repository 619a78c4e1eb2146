// The parts that decide about a story: the chain of the world, with the simulator and the validator as processes.
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { systemClock } from "@countersign/platform/clock";
import { makeLog } from "@countersign/platform/log";
import { devAccounts, fetchOk, makeSupervisor, startAnvil } from "@countersign/tools/engines";
import { freePorts, makeTempDir, sizeOf, waitUntil } from "@countersign/tools/testing";
import { buildWorld } from "@countersign/tools/world";
import type { Hex } from "@countersign/wire";
import type { WholeContent } from "@countersign/wire/envelope";
import { makeSimulator, type Captured } from "../../src/adapters/simulator/index.ts";
import { makeValidator } from "../../src/adapters/validator/index.ts";
import { nothingBound } from "../../src/verify/bound.ts";
import { makeFormOpinion } from "../../src/verify/opinion.ts";
import { aBatch, aContent, aSignature } from "../proposals.ts";
import type { Call } from "./calls.ts";
import { openChain, type Chain } from "./chain.ts";
import type { Signed } from "./signatures.ts";

const [me = "0x", friend = "0x"] = devAccounts().map(({ address }) => address.toLowerCase() as Hex);
/** The sender of every story, and an account that it may pay. */
export const people = { me, friend };

/** Every n-th story for each change, all of them in soak. */
export const some = <T>(stories: readonly T[], every: number): readonly T[] =>
  stories.filter((_, index) => index % sizeOf({ part: every, all: 1 }) === 0);

type Options = {
  readonly name: string;
  /** Changes the real simulator's answer on its way, to plant a difference. */
  readonly passOn?: (captured: Captured) => Captured;
};

export type Stage = {
  readonly chain: Chain;
  readonly safe: Hex;
  /** Mines a block, and returns the decision on what was proposed with a request, and the report. */
  readonly decide: (
    request: string,
    proposed: Proposed,
  ) => Promise<{ readonly decision: string; readonly report: unknown }>;
  readonly stop: () => Promise<void>;
};

/** One call, several calls, or data to be signed. */
export type Proposed = Call | readonly Call[] | Signed;

const isBatch = (proposed: Proposed): proposed is readonly Call[] => Array.isArray(proposed);

const written = ({ to, value = 0n, data = "0x" }: Call) => ({ to, value: value.toString(), data });

function contentOf(userPrompt: string, proposed: Proposed): WholeContent {
  const by = { escrow: me, userPrompt };
  if (isBatch(proposed)) return aBatch(proposed.map(written), by);
  return "primaryType" in proposed
    ? aSignature(proposed, by)
    : aContent({ ...by, chainId: 1, ...written(proposed) });
}

export async function setStage({ name, passOn = (captured) => captured }: Options): Promise<Stage> {
  const dir = makeTempDir(name);
  const supervisor = makeSupervisor({ logDir: `${dir}/logs` });
  const start = async (app: "simulator" | "validator", port: number, env: Record<string, string>) => {
    const file = fileURLToPath(new URL(`../../../${app}/src/main.ts`, import.meta.url));
    const url = `http://127.0.0.1:${port}`;
    const child = supervisor.start({
      ...{ name: app, command: process.execPath, args: [file], cwd: dir },
      env: { PORT: String(port), ...env },
    });
    await waitUntil(`the ${app} is ready`, () => fetchOk(`${url}/ready`), { child });
    return url;
  };
  const [anvilPort = 0, simulatorPort = 0, validatorPort = 0] = await freePorts(3);
  const anvil = await startAnvil({ supervisor, dir: `${dir}/anvil`, port: anvilPort, chainId: 1 });
  const { safe } = await buildWorld(anvil);
  const chain = openChain(anvil.url);
  const url = await start("simulator", simulatorPort, {
    ...{ RPC_URLS: `1=${anvil.url},1=${anvil.url}/`, MIN_NODES: "2" },
    ...{ RPC_TIMEOUT_MS: "30000", CAPTURE_TIMEOUT_MS: "60000", CAPTURE_CPU_MS: "20000" },
    ...{ SECOND_ENGINE_CPU_MS: "20000", SECOND_ENGINE_TIMEOUT_MS: "60000" },
  });
  const validatorUrl = await start("validator", validatorPort, {
    ...{ VALIDATE_CPU_MS: "5000", SIMULATE_CPU_MS: "20000" },
  });
  const simulator = makeSimulator({ url, timeoutMs: 90_000 });
  const formOpinion = makeFormOpinion({
    record: { listExecuted: async () => [] },
    validator: makeValidator({ url: validatorUrl, timeoutMs: 60_000 }),
    simulator: { capture: async (call) => passOn(await simulator.capture(call)) },
    ...{ simulatesSealed: false, clock: systemClock, giveUpMs: 0 },
    log: makeLog({ app: "test", level: "silent" }),
  });
  return {
    ...{ chain, safe },
    decide: async (userPrompt, proposed) => {
      await chain.mine();
      const content = contentOf(userPrompt, proposed);
      const sound = { kind: "sound", content, bound: nothingBound, privacy: "for the owner" } as const;
      return formOpinion(`0x${"00".repeat(32)}`, sound);
    },
    stop: async () => {
      await supervisor.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
