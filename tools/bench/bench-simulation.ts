// The cost of a verdict with the state of the chain, on the world's contracts: without a state, with one, with a second engine, and
// eth_simulateV1 on the same node. All four are measured alternately in one run.
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { approve, wrap, type Call } from "../../apps/orion/test/stories/calls.ts";
import { openChain, type Chain } from "../../apps/orion/test/stories/chain.ts";
import { honestBatches } from "../../apps/orion/test/stories/batches.ts";
import { honestStories, type Honest } from "../../apps/orion/test/stories/honest.ts";
import { devAccounts, freePorts, startAnvil } from "../engines/index.ts";
import { startLyingNode } from "../testing/index.ts";
import { addresses as at, buildWorld } from "../world/index.ts";
import { post, startApp, type Captured, type Place, type Service } from "./world-services.ts";

type Hex = `0x${string}`;

const [me = "0x", friend = "0x"] = devAccounts().map(({ address }) => address.toLowerCase() as Hex);
const wanted = [
  /^Send 0\.1 ETH/,
  /^Send 250 USDC/,
  /^Swap.*ETH on Uniswap v2$/,
  /on Uniswap v3$/,
  /^Approve.*and swap/,
];

/** CPU time of a process and its children in milliseconds, to the hundredth of a second. */
function cpuOf(pid: number): number {
  const line = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = line.slice(line.lastIndexOf(")") + 2).split(" ");
  const own = (Number(fields[11]) + Number(fields[12])) * 10;
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean);
  return children.reduce((sum, child) => sum + cpuOf(Number(child)), own);
}

type Made = ReturnType<Honest["call"]>;

const listOf = (made: Made): readonly Call[] => [made].flat();
const written = ({ to, value = 0n, data = "0x" }: Call) => ({ to, value: value.toString(), data });

const stateOf = ({ url }: Service, made: Made): Promise<Captured> =>
  post(`${url}/states`, { chainId: 1, from: me, calls: listOf(made).map(written) });

const questionOf = (words: string, made: Made, captured?: Captured): object => ({
  human_intent: words,
  proposed_tx: { transactions: listOf(made).map(written), chainId: 1 },
  metadata: { from: me, chain_id: 1, now: Math.floor(Date.now() / 1000), ...captured },
});

/** A swap whose request states no minimum passes only with a state. */
const decide = ({ url }: Service, question: object): Promise<{ decision: string; reason: string }> =>
  post(`${url}/validate`, question);

async function check(validator: Service, question: object): Promise<void> {
  const { decision, reason } = await decide(validator, question);
  if (decision !== "PASS") throw new Error(`an honest request was rejected: ${reason}`);
}

const simulateOn = (url: string, made: Made): Promise<unknown> => {
  const calls = listOf(made).map(({ to, value = 0n, data = "0x" }) => ({
    ...{ from: me, to, value: `0x${value.toString(16)}`, data },
  }));
  const params = [{ blockStateCalls: [{ calls }], traceTransfers: true }, "latest"];
  return post(url, { jsonrpc: "2.0", id: 1, method: "eth_simulateV1", params });
};

type Kind = "eth_simulateV1" | "no state" | "state" | "state, two engines";
type Measured = { readonly ms: number[]; cpuMs: number };
type Stage = {
  readonly chain: Chain;
  readonly anvil: { readonly url: string; readonly pid: number };
  readonly validator: Service;
  readonly simulators: { readonly one: Service; readonly two: Service };
};

/** Captures as orion does, and checks. */
async function withState({ validator }: Stage, simulator: Service, { words, call }: Honest): Promise<void> {
  const made = call();
  const { state, second_engine } = await stateOf(simulator, made);
  await check(validator, questionOf(words, made, { state, second_engine }));
}

const waysOf = (stage: Stage, story: Honest): Readonly<Record<Kind, () => Promise<unknown>>> => ({
  eth_simulateV1: () => simulateOn(stage.anvil.url, story.call()),
  "no state": () => decide(stage.validator, questionOf(story.words, story.call())),
  state: () => withState(stage, stage.simulators.one, story),
  "state, two engines": () => withState(stage, stage.simulators.two, story),
});

const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;

async function measure(stage: Stage, story: Honest, rounds: number): Promise<void> {
  const pids = [
    ...[stage.anvil.pid, stage.validator.pid],
    ...[stage.simulators.one.pid, stage.simulators.two.pid],
  ];
  const cpu = (): number => pids.reduce((sum, pid) => sum + cpuOf(pid), 0);
  const ways = Object.entries(waysOf(stage, story)) as [Kind, () => Promise<unknown>][];
  const found = new Map<Kind, Measured>(ways.map(([kind]) => [kind, { ms: [], cpuMs: 0 }]));
  for (let round = -5; round < rounds; round += 1) {
    await stage.chain.mine();
    // Each begins in turn, so that none always has the warmer machine.
    for (const [kind, run] of [...ways.slice(round % 4), ...ways.slice(0, round % 4)]) {
      const [began, cpuBefore] = [performance.now(), cpu()];
      await run();
      const one = found.get(kind);
      if (round < 0 || one === undefined) continue;
      one.ms.push(performance.now() - began);
      one.cpuMs += cpu() - cpuBefore;
    }
  }
  const bare = percentile(found.get("eth_simulateV1")?.ms ?? [], 0.5);
  console.log(`\n${story.words}, ${rounds} rounds`);
  console.table(
    Object.fromEntries(
      [...found].map(([kind, { ms, cpuMs }]) => [
        kind,
        {
          "p50 ms": Number(percentile(ms, 0.5).toFixed(1)),
          "p99 ms": Number(percentile(ms, 0.99).toFixed(1)),
          "CPU ms": Number((cpuMs / rounds).toFixed(1)),
          "p50 ÷ eth_simulateV1": Number((percentile(ms, 0.5) / bare).toFixed(1)),
        },
      ]),
    ),
  );
}

/** Requests to the node and the size of what is sent and kept. */
async function weigh(place: Place, stage: Stage, stories: readonly Honest[]): Promise<void> {
  const node = await startLyingNode(() => stage.anvil.url);
  let calls = 0;
  node.lie((_, result) => {
    calls += 1;
    return result;
  });
  const simulator = await startApp(place, "simulator", { RPC_URLS: `1=${node.url}` });
  const rows: Record<string, object> = {};
  for (const { words, call } of stories) {
    await stage.chain.mine();
    const before = node.requests();
    calls = 0;
    const { state, second_engine } = await stateOf(simulator, call());
    const size = (value: object): string => {
      const text = JSON.stringify(value);
      return `${text.length} / ${gzipSync(text).length}`;
    };
    rows[words] = {
      "HTTP requests": node.requests() - before,
      "RPC calls": calls,
      "state, bytes / gzipped": size(state),
      "bundle, bytes / gzipped": size(questionOf(words, call(), { state, second_engine })),
      "second engine": second_engine.result,
    };
  }
  console.table(rows);
  node.close();
}

export async function benchSimulation(place: Place, rounds: number): Promise<void> {
  const [port = 0] = await freePorts(1);
  const anvil = await startAnvil({ ...place, dir: `${place.dir}/anvil`, port, chainId: 1 });
  await buildWorld(anvil);
  const chain = openChain(anvil.url);
  for (const router of [at.v2Router, at.v3Router])
    for (const symbol of ["USDC", "DAI", "WETH"] as const)
      await chain.send(me, approve(symbol, "1000000000", router));
  await chain.send(me, wrap("50"));
  const env = { RPC_URLS: `1=${anvil.url}`, CAPTURE_WORKERS: "1", RPC_TIMEOUT_MS: "30000" };
  const pid = Object.entries(place.supervisor.pids()).find(([name]) => name.startsWith("anvil"))?.[1] ?? 0;
  const stage: Stage = {
    ...{ chain, anvil: { url: anvil.url, pid } },
    validator: await startApp(place, "validator", { SIMULATE_CPU_MS: "20000", VALIDATE_CPU_MS: "5000" }),
    simulators: {
      one: await startApp(place, "simulator", { ...env, SECOND_ENGINE_WORKERS: "0" }),
      two: await startApp(place, "simulator", { ...env, SECOND_ENGINE_TIMEOUT_MS: "30000" }),
    },
  };
  const all = [...honestStories({ me, friend }), ...honestBatches({ me, friend })];
  const stories = wanted.flatMap((kind) => all.find(({ words }) => kind.test(words)) ?? []);
  for (const story of stories) await measure(stage, story, rounds);
  await weigh(place, stage, stories);
}
