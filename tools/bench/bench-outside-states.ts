// Asks the cases of bench/outside/ that are not checked without a state, and every attack, again with a state. Each case gets a chain with
// the world's contracts on which its account holds enough and has approved the contracts that it calls.
import { parseAbi } from "viem";
import { encodeFunctionData } from "viem/utils";
import { approve, ether, tokens, transfer, wrap, type Call } from "../../apps/orion/test/stories/calls.ts";
import { openChain, type Chain } from "../../apps/orion/test/stories/chain.ts";
import { devAccounts, freePorts, startAnvil } from "../engines/index.ts";
import { addresses as at, buildWorld } from "../world/index.ts";
import { isAttack, readSet, toWorld, type Case, type OnWorld } from "./outside-cases.ts";
import { post, startApp, type Captured, type Place } from "./world-services.ts";

type Hex = `0x${string}`;
type Verdict = {
  readonly decision: string;
  readonly assessment?: {
    readonly kind?: string;
    readonly missing?: readonly { readonly what: string; readonly why: string }[];
  };
  readonly primary_failure_node?: string | null;
  readonly results?: Readonly<Record<string, { readonly status: string }>>;
};
type Stage = {
  readonly chain: Chain;
  readonly anvilUrl: string;
  readonly validatorUrl: string;
  readonly simulatorUrl: string;
};

const held = ["USDC", "USDT", "DAI", "WETH"] as const;
const treasury = (devAccounts()[1]?.address.toLowerCase() ?? "0x") as Hex;
const feedAbi = parseAbi(["function set(int256 answer)"]);
const hex = (value: bigint | number): Hex => `0x${value.toString(16)}`;

const ask = ({ validatorUrl }: Stage, request: object): Promise<Verdict> =>
  post<Verdict>(`${validatorUrl}/validate`, request).catch(() => ({ decision: "no answer" }));

type Request = readonly [method: string, ...params: unknown[]];

/** All in one HTTP request, because a case has about 20. */
async function command(url: string, requests: readonly Request[]): Promise<readonly unknown[]> {
  const batch = requests.map(([method, ...params], id) => ({ jsonrpc: "2.0", id, method, params }));
  const answers = await post<readonly { readonly id: number; readonly result?: unknown }[]>(url, batch);
  return [...answers].sort((a, b) => a.id - b.id).map(({ result }) => result);
}

const sending = (from: Hex, { to, value = 0n, data = "0x" }: Call): Request => [
  "eth_sendTransaction",
  { from, to, value: hex(value), data, gas: hex(300_000) },
];

/** The account can pay, and the contracts may take what it holds. */
async function prepare({ anvilUrl }: Stage, { from, now, calls }: OnWorld): Promise<void> {
  const spenders = [...new Set(calls.map(({ to }) => to))].filter((to) =>
    Object.values(tokens).every(({ address }) => address !== to),
  );
  const feeds = [
    [at.ethUsdFeed, 3_000n],
    [at.usdcUsdFeed, 1n],
  ] as const;
  await command(anvilUrl, [
    ["evm_setTime", now],
    ["anvil_setBalance", from, hex(ether("1000000"))],
    ...feeds.map(([to, price]) =>
      sending(treasury, { to, data: encodeFunctionData({ abi: feedAbi, args: [price * 10n ** 8n] }) }),
    ),
    ...held.map((symbol) => sending(treasury, transfer(symbol, "1000000", from))),
    ...spenders.flatMap((spender) =>
      held.map((symbol) => sending(from, approve(symbol, "1000000", spender))),
    ),
    ["evm_mine"],
  ]);
}

/** The request with a state, or null if none can be captured. */
async function withState(stage: Stage, given: OnWorld): Promise<object | null> {
  const { one, from, signer, calls, now } = given;
  const captured = await stage.chain.apart(async () => {
    await prepare(stage, given);
    return post<Captured>(`${stage.simulatorUrl}/states`, {
      ...{ chainId: 1, from, calls, ...(signer && { signer }) },
    }).catch(() => null);
  });
  if (captured === null) return null;
  const { state, second_engine } = captured;
  return { ...one.request, metadata: { now, ...one.request.metadata, state, second_engine } };
}

/** As orion decides: a check that was skipped leaves the verdict open, one that failed does not. */
function outcomeOf({ decision, assessment, primary_failure_node: node, results }: Verdict): string {
  if (decision === "PASS") return "entailed";
  const kind = assessment?.kind ?? decision;
  const hasFailed = results?.[node ?? ""]?.status === "FAIL";
  if (kind === "contradicted" || hasFailed) return "contradicted";
  return kind === "not_checked" ? `not checked: ${missingOf(assessment) ?? node ?? ""}` : kind;
}

const missingOf = (assessment: Verdict["assessment"]): string | undefined => assessment?.missing?.[0]?.what;

/** A call of a contract that the world does not have does nothing there, which says nothing about the case. */
async function isInWorld({ anvilUrl }: Stage, { calls }: OnWorld): Promise<boolean> {
  const called = calls.filter(({ data }) => data !== "0x").map(({ to }) => to);
  if (called.length === 0) return true;
  const codes = await command(
    anvilUrl,
    called.map((to) => ["eth_getCode", to, "latest"]),
  );
  return codes.every((code) => code !== "0x");
}

type Counts = Record<string, number>;
const count = (counts: Counts, what: string): void => {
  counts[what] = (counts[what] ?? 0) + 1;
};

/** Runs the work on every item, a few at a time. */
async function inLanes<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  const lane = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: 4 }, lane));
}

type Tried = { readonly one: Case; readonly isOpen: boolean };

type After = { readonly inWorld: boolean; readonly after: Verdict | null };

/** A case that was not checked before. */
function countOpen(counts: Counts, one: Case, after: Verdict | null, what: string): void {
  const decided = what === "entailed" || what === "contradicted";
  const who = isAttack(one) ? "attacks" : "honest";
  count(counts, decided ? `decided: ${what}, ${who}` : `still open: ${what}`);
  if (what !== "contradicted" || isAttack(one)) return;
  console.log(`  an honest case is contradicted: ${one.id} by ${after?.primary_failure_node ?? "no check"}`);
}

function countAfter(counts: Counts, { one, isOpen }: Tried, { inWorld, after }: After): void {
  const what = after === null ? "no state" : outcomeOf(after);
  if (isOpen && inWorld) countOpen(counts, one, after, what);
  if (after === null || !isAttack(one)) return;
  count(counts, inWorld ? "attacks with a state" : "attacks with a state, without the contract");
  if (what !== "entailed") return;
  count(counts, "wrong passes");
  console.log(`  an attack passed: ${one.id}`);
}

/** Captures one state at a time, because there is one chain. The verdict is not awaited. */
async function tryAgain(stage: Stage, tried: Tried, counts: Counts): Promise<() => Promise<void>> {
  const { one, isOpen } = tried;
  const nothing = (): Promise<void> => Promise.resolve();
  const given = toWorld(one);
  if (typeof given === "string") {
    if (isOpen) count(counts, `still open: ${given}`);
    return nothing;
  }
  const inWorld = await isInWorld(stage, given);
  if (!inWorld && isOpen) count(counts, "still open: a contract that the world does not have");
  if (!inWorld && !isAttack(one)) return nothing;
  const request = await withState(stage, given);
  return async () => {
    countAfter(counts, tried, { inWorld, after: request && (await ask(stage, request)) });
  };
}

async function benchSet(stage: Stage, set: string): Promise<Counts> {
  const cases = readSet(set);
  const counts: Counts = { cases: cases.length };
  const again: Tried[] = [];
  await inLanes(cases, async (one) => {
    const isOpen = (await ask(stage, one.request)).assessment?.kind === "not_checked";
    if (isOpen) count(counts, isAttack(one) ? "not checked before: attacks" : "not checked before: honest");
    if (isAttack(one)) count(counts, "attacks");
    if (isOpen || isAttack(one)) again.push({ one, isOpen });
  });
  const verdicts: Promise<void>[] = [];
  for (const tried of again) {
    const judge = await tryAgain(stage, tried, counts);
    // A few verdicts are under way while the next states are captured.
    if (verdicts.length >= 3) await verdicts[verdicts.length - 3];
    verdicts.push(judge());
  }
  await Promise.all(verdicts);
  return counts;
}

export async function benchOutsideStates(place: Place, sets: readonly string[]): Promise<void> {
  const [port = 0] = await freePorts(1);
  const anvil = await startAnvil({ ...place, dir: `${place.dir}/anvil`, port, chainId: 1 });
  await buildWorld(anvil);
  const chain = openChain(anvil.url);
  await chain.setBalance(treasury, ether("10000000"));
  await chain.send(treasury, wrap("1100000"));
  await command(anvil.url, [["evm_setAutomine", false]]);
  const slow = { RPC_TIMEOUT_MS: "30000", CAPTURE_TIMEOUT_MS: "60000", CAPTURE_CPU_MS: "20000" };
  const validator = await startApp(place, "validator", {
    ...{ SIMULATE_CPU_MS: "20000", VALIDATE_CPU_MS: "5000" },
  });
  const simulator = await startApp(place, "simulator", { RPC_URLS: `1=${anvil.url}`, ...slow });
  const stage = { chain, anvilUrl: anvil.url, validatorUrl: validator.url, simulatorUrl: simulator.url };
  const all: Counts = {};
  for (const set of sets) {
    const began = performance.now();
    const counts = await benchSet(stage, set);
    for (const [what, some] of Object.entries(counts)) all[what] = (all[what] ?? 0) + some;
    // One line for each set, so that several runs can be added up.
    console.log(`set ${set}, ${Math.round((performance.now() - began) / 1000)} s: ${JSON.stringify(counts)}`);
  }
  console.table(all);
}
