// From a recorded proposal to a signed verdict on a chain with real contracts: orion, simulator and validator as processes.
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import {
  createTestClient,
  encodeFunctionData,
  http,
  keccak256,
  encodeAbiParameters,
  parseAbi,
  parseEther,
  parseUnits,
  publicActions,
  toHex,
  walletActions,
} from "viem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cidOf } from "@countersign/wire/envelope";
import { findBreaches, readBounds, type Hex } from "@countersign/wire";
import { fetchOk, makeSupervisor, startAnvil, type Anvil, type Child } from "@countersign/tools/engines";
import { freePorts, makeTempDir, waitUntil } from "@countersign/tools/testing";
import { addresses as at, buildWorld } from "@countersign/tools/world";
import { simulateFresh } from "../../../packages/sdk/src/fresh/simulate-fresh.ts";
import { compileContracts } from "../../../packages/evm/test/compile.ts";
import { setHarness, type Harness } from "../test/harness.ts";
import { aContent, aStandardEnvelope } from "../test/proposals.ts";

const dir = makeTempDir("simulation");
const supervisor = makeSupervisor({ logDir: `${dir}/logs` });
const simulatorFile = fileURLToPath(new URL("../../simulator/src/main.ts", import.meta.url));
const abi = parseAbi([
  "function approve(address spender, uint256 value)",
  "function transfer(address to, uint256 value)",
  "function swapExactTokensForETH(uint256 amount, uint256 least, address[] path, address to, uint256 deadline)",
  "function exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 deadline, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96) swap)",
]);
const thousand = parseUnits("1000", 6);
let anvil: Anvil;
let harness: Harness;
let simulator: Child;
let [alice, bob] = ["0x", "0x"] as [Hex, Hex];

const chainAt = (url: string) =>
  createTestClient({ mode: "anvil", transport: http(url), cacheTime: 0 })
    .extend(publicActions)
    .extend(walletActions);
const send = async (account: Hex, to: Hex, data: Hex): Promise<void> => {
  const chain = chainAt(anvil.url);
  const hash = await chain.sendTransaction({ account, chain: null, to, data });
  await chain.waitForTransactionReceipt({ hash, pollingInterval: 50 });
};
const approve = (spender: Hex, amount: bigint): Hex =>
  encodeFunctionData({ abi, functionName: "approve", args: [spender, amount] });

beforeAll(async () => {
  const [anvilPort = 0, port = 0] = await freePorts(2);
  anvil = await startAnvil({ supervisor, dir: `${dir}/anvil`, port: anvilPort, chainId: 1 });
  [alice, bob] = (await buildWorld(anvil)).holders as [Hex, Hex];
  for (const spender of [at.v2Router, at.v3Router]) {
    await send(alice, at.usdc, approve(spender, thousand * 100n));
    await send(bob, at.usdc, approve(spender, thousand * 100_000n));
  }
  const url = `http://127.0.0.1:${port}`;
  simulator = supervisor.start({
    name: "simulator",
    command: process.execPath,
    args: [simulatorFile],
    cwd: dir,
    env: { PORT: String(port), RPC_URLS: `1=${anvil.url},1=${anvil.url}/`, MIN_NODES: "2" },
  });
  await waitUntil("the simulator is ready", () => fetchOk(`${url}/ready`), { seconds: 60, child: simulator });
  harness = await setHarness({ SIMULATOR_URL: url });
}, 240_000);
afterAll(async () => {
  await harness.end();
  await supervisor.stop();
  rmSync(dir, { recursive: true, force: true });
});

type Proposed = { readonly to: Hex; readonly value?: bigint; readonly data?: Hex };
type Found = { readonly status: string; readonly reasoning: string };
type Report = {
  readonly decision: string;
  readonly reason: string;
  readonly results: Readonly<Record<string, Found>>;
  readonly context: Readonly<Record<string, unknown>>;
};

/** Proposes as the main service does, and returns the posted decision with its report. */
async function propose(userPrompt: string, { to, value = 0n, data = "0x" }: Proposed) {
  harness.record.open();
  const content = aContent({ escrow: alice, to, value: value.toString(), data, userPrompt });
  const made = await aStandardEnvelope(harness.desk.pgpPublicKey, content, harness.domain);
  harness.record.expect(made.requestHash);
  await harness.pin(made.bytes);
  await harness.recordOnChain(made);
  await harness.nudge({ requestHash: made.requestHash, cid: cidOf(made.digest) });
  const posted = await waitUntil(
    "there is a verdict",
    () => harness.record.verdictOf(made.requestHash) ?? false,
    {
      seconds: 90,
    },
  );
  return { decision: posted.decision, report: posted.report as Report };
}
const failed = ({ results }: Report): readonly string[] =>
  Object.entries(results).flatMap(([id, { status }]) => (status === "FAIL" ? [id] : []));

const soon = (): bigint => BigInt(Math.floor(Date.now() / 1000) + 900);
const transfer = (token: Hex, amount: bigint): Proposed => ({
  to: token,
  data: encodeFunctionData({ abi, functionName: "transfer", args: [bob, amount] }),
});
const v2Swap = (amount: bigint, least: bigint): Proposed => ({
  to: at.v2Router,
  data: encodeFunctionData({
    abi,
    functionName: "swapExactTokensForETH",
    args: [amount, least, [at.usdc, at.weth], alice, soon()],
  }),
});
const v3Data = (recipient: Hex, amountIn: bigint, amountOutMinimum: bigint): Hex =>
  encodeFunctionData({
    abi,
    functionName: "exactInputSingle",
    args: [
      {
        ...{ tokenIn: at.usdc, tokenOut: at.weth, fee: 500, recipient, deadline: soon() },
        ...{ amountIn, amountOutMinimum, sqrtPriceLimitX96: 0n },
      },
    ],
  });
const v3Swap = (amount: bigint, least: bigint): Proposed => ({
  to: at.v3Router,
  data: v3Data(alice, amount, least),
});

describe("an honest proposal is APPROVED with the balances that it changes:", { timeout: 120_000 }, () => {
  test("a payment", async () => {
    const { decision, report } = await propose(`Send 2 ETH to ${bob}`, { to: bob, value: parseEther("2") });
    expect([decision, report.reason]).toEqual(["APPROVED", expect.any(String)]);
    expect(report.context).toMatchObject({
      state: { status: "proven" },
      simulation: {
        changes: [
          { holder: alice, change: "-2" },
          { holder: bob, change: "2" },
        ],
      },
      balances: { status: "known", account: alice, assets: [{ symbol: "ETH", measured: true }] },
    });
  });

  test("a token transfer", async () => {
    const { decision, report } = await propose(`Send 250 USDC to ${bob}`, transfer(at.usdc, thousand / 4n));
    expect([decision, report.reason]).toEqual(["APPROVED", expect.any(String)]);
    expect(report.context["simulation"]).toMatchObject({
      changes: [
        { holder: alice, symbol: "USDC", change: "-250" },
        { holder: bob, change: "250" },
      ],
    });
  });

  test.each<[string, string, () => Proposed]>([
    ["V2", "Swap 3000 USDC for ETH on Uniswap v2", () => v2Swap(thousand * 3n, parseEther("0.98"))],
    ["V3", "Swap 3000 USDC for WETH on Uniswap v3", () => v3Swap(thousand * 3n, parseEther("0.98"))],
  ])("a swap on Uniswap %s whose request states no minimum", async (_, words, proposed) => {
    const { decision, report } = await propose(words, proposed());
    expect([decision, report.reason]).toEqual(["APPROVED", expect.any(String)]);
    expect(report.results["intent_alignment.fair_return"]?.reasoning).toContain("price feeds");
  });
});

describe("the signed report has bounds for the moment before it is sent:", { timeout: 120_000 }, () => {
  const ask = (method: string, params: readonly unknown[]): Promise<unknown> =>
    chainAt(anvil.url).request({ method, params } as never);
  /** As the guard of a wallet compares. */
  async function breaches(report: Report, { to, value = 0n, data = "0x" }: Proposed) {
    const bounds = readBounds(report);
    if ("why" in bounds) throw new Error(bounds.why);
    return findBreaches(bounds, await simulateFresh(ask, bounds, { from: alice, to, value, data, fees: {} }));
  }

  test("a payment keeps them while nothing changes", async () => {
    const call = { to: bob, value: parseEther("2") };
    const { report } = await propose(`Send 2 ETH to ${bob}`, call);
    expect(report.context["bounds"]).toMatchObject({
      changes: [
        { holder: alice, kind: "native", least: `-${parseEther("2")}`, basis: "exact" },
        { holder: bob, kind: "native", least: `${parseEther("2")}`, basis: "exact" },
      ],
    });
    await chainAt(anvil.url).mine({ blocks: 2 });
    expect(await breaches(report, call)).toEqual([]);
  });

  test("a swap breaks them when the price moves by more than 1 %", async () => {
    const call = v2Swap(thousand * 3n, parseEther("0.95"));
    const { decision, report } = await propose("Swap 3000 USDC for ETH on Uniswap v2", call);
    expect(decision).toBe("APPROVED");
    expect(await breaches(report, call)).toEqual([]);
    const ahead = (amount: bigint): Hex =>
      encodeFunctionData({
        ...{ abi, functionName: "swapExactTokensForETH" },
        args: [amount, 0n, [at.usdc, at.weth], bob, soon()],
      });
    await send(bob, at.v2Router, ahead(thousand * 30n));
    expect(await breaches(report, call)).toEqual([]);
    await send(bob, at.v2Router, ahead(thousand * 200n));
    expect(await breaches(report, call)).toEqual([expect.stringContaining("base units of ETH would arrive")]);
  });
});

describe("a proposal whose calldata does not show the attack is not approved:", { timeout: 120_000 }, () => {
  test("a swap whose minimum is far below what arrives", async () => {
    const { decision, report } = await propose(
      "Swap 3000 USDC for ETH on Uniswap v2",
      v2Swap(thousand * 3n, parseEther("0.5")),
    );
    expect(decision).toBe("REJECTED");
    expect(failed(report)).toContain("intent_alignment.fair_return");
  });

  test("a balance that is too small", async () => {
    const { decision, report } = await propose(`Send 950000 ETH to ${bob}`, {
      to: bob,
      value: parseEther("950000"),
    });
    expect(decision).toBe("REJECTED");
    expect(report.reason).toMatch(/^The account holds 9999.* The transaction sends 950000 ETH/);
  });

  test("a token that keeps a fee, or behaves only when it is watched", async () => {
    const chain = chainAt(anvil.url);
    const contracts = compileContracts();
    const slot = keccak256(encodeAbiParameters([{ type: "address" }, { type: "uint256" }], [alice, 0n]));
    for (const [contract, check] of [
      ["FeeToken", "technical_invariants.simulated_arrival"],
      ["WatchedToken", "adversarial_detection.simulation_evasion"],
    ] as const) {
      await chain.setCode({ address: at.dai, bytecode: contracts.codeOf(contract) });
      await chain.setStorageAt({
        address: at.dai,
        index: slot,
        value: toHex(parseEther("5000"), { size: 32 }),
      });
      await chain.mine({ blocks: 1 });
      const { decision, report } = await propose(`Send 5 DAI to ${bob}`, transfer(at.dai, parseEther("5")));
      expect([contract, decision]).toEqual([contract, "REJECTED"]);
      expect(failed(report)).toContain(check);
    }
  });

  test("a pool that is drained below the minimum, which the request states", async () => {
    await send(bob, at.v3Router, v3Data(bob, thousand * 20_000n, 0n));
    const { decision, report } = await propose(
      "Swap 3000 USDC for at least 0.98 WETH on Uniswap v3",
      v3Swap(thousand * 3n, parseEther("0.98")),
    );
    expect(decision).toBe("REJECTED");
    expect(report.results["technical_invariants.simulation_result"]).toMatchObject({
      status: "FAIL",
      reasoning: expect.stringContaining("Too little received") as string,
    });
  });

  test("a swap without a stated minimum if there is no simulator any more", async () => {
    await simulator.kill();
    const { decision, report } = await propose(
      "Swap 3000 USDC for ETH on Uniswap v2",
      v2Swap(thousand * 3n, parseEther("0.98")),
    );
    expect(decision).toBe("UNDECIDED");
    expect(report.context).not.toHaveProperty("state");
    expect(harness.logs()).toContain("verifying without a state");
  });
});
