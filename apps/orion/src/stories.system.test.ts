// Requests of owners on a chain with real contracts, from the proposal to the decision: orion's own code with the simulator and
// the validator as processes. simulation.system.test.ts has the way through the whole of orion.
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "@countersign/platform/clock";
import { makeLog } from "@countersign/platform/log";
import { fetchOk, makeSupervisor, startAnvil } from "@countersign/tools/engines";
import { freePorts, makeTempDir, sizeOf, waitUntil } from "@countersign/tools/testing";
import { addresses as at, buildWorld } from "@countersign/tools/world";
import { devAccounts } from "@countersign/tools/engines";
import type { Hex } from "@countersign/wire";
import { aContent } from "../test/proposals.ts";
import { attackStories } from "../test/stories/attacks.ts";
import { approve, wrap, type Call } from "../test/stories/calls.ts";
import { openChain, type Chain } from "../test/stories/chain.ts";
import { honestStories } from "../test/stories/honest.ts";
import { makeSimulator } from "./adapters/simulator/index.ts";
import { makeValidator } from "./adapters/validator/index.ts";
import { nothingBound } from "./verify/bound.ts";
import { makeFormOpinion, type FormOpinion } from "./verify/opinion.ts";

const dir = makeTempDir("stories");
const supervisor = makeSupervisor({ logDir: `${dir}/logs` });
const [me = "0x", friend = "0x"] = devAccounts().map(({ address }) => address.toLowerCase() as Hex);
const parties = { me, friend };
let chain: Chain;
let formOpinion: FormOpinion;

async function startApp(app: "simulator" | "validator", port: number, env: Record<string, string>) {
  const file = fileURLToPath(new URL(`../../${app}/src/main.ts`, import.meta.url));
  const url = `http://127.0.0.1:${port}`;
  const child = supervisor.start({
    ...{ name: app, command: process.execPath, args: [file], cwd: dir },
    env: { PORT: String(port), ...env },
  });
  await waitUntil(`the ${app} is ready`, () => fetchOk(`${url}/ready`), { seconds: 180, child });
  return url;
}

beforeAll(async () => {
  const [anvilPort = 0, simulatorPort = 0, validatorPort = 0] = await freePorts(3);
  const anvil = await startAnvil({ supervisor, dir: `${dir}/anvil`, port: anvilPort, chainId: 1 });
  await buildWorld(anvil);
  chain = openChain(anvil.url);
  for (const router of [at.v2Router, at.v3Router])
    for (const symbol of ["USDC", "DAI", "WETH"] as const)
      for (const account of [me, friend]) await chain.send(account, approve(symbol, "1000000000", router));
  await chain.send(me, wrap("50"));
  const timeouts = { RPC_TIMEOUT_MS: "30000", CAPTURE_TIMEOUT_MS: "60000", CAPTURE_CPU_MS: "20000" };
  const RPC_URLS = `1=${anvil.url},1=${anvil.url}/`;
  const url = await startApp("simulator", simulatorPort, { RPC_URLS, MIN_NODES: "2", ...timeouts });
  const validatorUrl = await startApp("validator", validatorPort, {
    ...{ VALIDATE_CPU_MS: "5000", SIMULATE_CPU_MS: "20000" },
  });
  formOpinion = makeFormOpinion({
    record: { listExecuted: async () => [] },
    validator: makeValidator({ url: validatorUrl, timeoutMs: 60_000 }),
    simulator: makeSimulator({ url, timeoutMs: 90_000 }),
    ...{ simulatesSealed: false, clock: systemClock, giveUpMs: 0 },
    log: makeLog({ app: "test", level: "silent" }),
  });
}, 900_000);
afterAll(async () => {
  await supervisor.stop();
  rmSync(dir, { recursive: true, force: true });
});

type Report = {
  readonly reason: string;
  readonly results: Readonly<Record<string, { readonly status: string }>>;
  readonly context: {
    readonly state?: { readonly status: string };
    readonly simulation?: unknown;
    readonly balances?: unknown;
  };
};

async function decide(userPrompt: string, { to, value = 0n, data = "0x" }: Call) {
  await chain.mine();
  const content = aContent({ escrow: me, chainId: 1, to, value: value.toString(), data, userPrompt });
  const sound = { kind: "sound", content, bound: nothingBound, privacy: "for the owner" } as const;
  const { decision, report } = await formOpinion(`0x${"00".repeat(32)}`, sound);
  const { reason, results, context } = report as Report;
  const failed = Object.entries(results).flatMap(([id, { status }]) => (status === "FAIL" ? [id] : []));
  const { simulation, balances } = context;
  return { decision, reason, failed, state: context.state?.status, simulation, balances };
}

type Balance = {
  readonly symbol: string;
  readonly before: string;
  readonly after: string;
  readonly measured: boolean;
};
type BeforeAndAfter = Readonly<Record<string, readonly [before: string, after: string]>>;

/** Of the assets in a report, by symbol. */
function balancesIn(balances: unknown): BeforeAndAfter {
  const { assets } = balances as { readonly assets: readonly Balance[] };
  expect(assets.every(({ measured }) => measured)).toBe(true);
  return Object.fromEntries(assets.map(({ symbol, before, after }) => [symbol, [before, after]]));
}

/** Sends the call, and returns what the account held before and after on the chain, without the fee, where that differs. */
async function executed(call: Call): Promise<BeforeAndAfter> {
  const before = await chain.heldBy(me);
  const fee = await chain.send(me, call);
  const after = await chain.heldBy(me);
  return Object.fromEntries(
    [...before].flatMap(([symbol, held]) => {
      const now = (after.get(symbol) ?? 0n) + (symbol === "ETH" ? fee : 0n);
      return now === held ? [] : [[symbol, [held.toString(), now.toString()]] as const];
    }),
  );
}

/** Every n-th story for each change, all of them in soak. */
const some = <T>(stories: readonly T[], every: number): readonly T[] =>
  stories.filter((_, index) => index % sizeOf({ part: every, all: 1 }) === 0);

describe("an honest story is APPROVED, with the balances that change", { timeout: 180_000 }, () => {
  const stories = honestStories(parties);
  test("there are 40 of them", () => {
    expect(stories.length).toBeGreaterThanOrEqual(40);
  });
  test.each(some(stories, 5).map(({ words, call }) => [words, call] as const))("%s", async (words, make) => {
    await chain.apart(async () => {
      const call = make();
      const found = await decide(words, call);
      const block = await chain.blockNumber();
      expect(found).toMatchObject({
        ...{ decision: "APPROVED", failed: [], state: "proven" },
        simulation: { changes: expect.any(Array) as unknown[] },
      });
      expect(found.balances).toEqual({
        ...{ status: "known", account: me, block: block.toString(), fee_included: false, complete: true },
        assets: expect.any(Array) as unknown[],
      });
      expect(balancesIn(found.balances)).toEqual(await executed(call));
    });
  });

  test("of every kind: a payment, a token transfer and a swap", () => {
    const words = some(stories, 5).map((story) => story.words);
    for (const kind of [/^Send \S+ ETH/, /^Send \S+ USDC/, /^Swap/])
      expect(words.filter((one) => kind.test(one))).not.toEqual([]);
  });
});

describe("an attack that calldata does not show is REJECTED, with its reason", { timeout: 180_000 }, () => {
  const stories = attackStories(parties);
  test("there are 60 of them", () => {
    expect(stories.length).toBeGreaterThanOrEqual(60);
  });
  test.each(some(stories, 5).map((story) => [story.name, story] as const))("%s", async (_, story) => {
    const { words, call, prepare, because } = story;
    await chain.apart(async () => {
      await prepare?.(chain);
      const { decision, reason, failed, state } = await decide(words, call());
      expect([decision, reason, state]).toEqual(["REJECTED", expect.any(String), "proven"]);
      expect(failed.filter((id) => because.includes(id))).not.toEqual([]);
    });
  });
});
