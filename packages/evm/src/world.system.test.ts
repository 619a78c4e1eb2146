// Real contracts at their addresses: runs on captured witnesses have the outcomes of the mined transactions, and none behaves
// differently in another block.
import { rmSync } from "node:fs";
import { encodeFunctionData, parseAbi, parseUnits } from "viem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Hex } from "@countersign/wire";
import { makeSupervisor, startAnvil, type Anvil } from "@countersign/tools/engines";
import { freePorts, makeTempDir } from "@countersign/tools/testing";
import { addresses as at, buildWorld, oddTokens } from "@countersign/tools/world";
import { onChain } from "../test/capture.ts";

const dir = makeTempDir("evm-world");
const supervisor = makeSupervisor({ logDir: dir });
const abi = parseAbi([
  "function approve(address spender, uint256 value)",
  "function transfer(address to, uint256 value)",
  "function deposit() payable",
  "function swapExactTokensForETH(uint256 amount, uint256 least, address[] path, address to, uint256 deadline)",
  "function exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 deadline, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96) swap)",
]);
let anvil: Anvil;
let [alice, bob] = ["0x", "0x"] as [Hex, Hex];
const deadline = 4_000_000_000n;
const amount = parseUnits("3000", 6);

beforeAll(async () => {
  const [port = 0] = await freePorts(1);
  anvil = await startAnvil({ supervisor, dir: `${dir}/anvil`, port, chainId: 1 });
  [alice, bob] = (await buildWorld(anvil)).holders as [Hex, Hex];
});
afterAll(async () => {
  await supervisor.stop();
  rmSync(dir, { recursive: true, force: true });
});

const approve = (spender: Hex) => ({
  ...{ from: alice, to: at.usdc },
  data: encodeFunctionData({ abi, functionName: "approve", args: [spender, amount] }),
});
const transfer = (token: Hex) => ({
  ...{ from: alice, to: token },
  data: encodeFunctionData({ abi, functionName: "transfer", args: [bob, 1_000n] }),
});
const changes = ({ effects }: Awaited<ReturnType<ReturnType<typeof onChain>["simulate"]>>) =>
  Object.fromEntries(
    effects.balances.map(({ asset, measured }) => [
      asset.kind === "native" ? "native" : asset.token,
      measured,
    ]),
  );

describe("a transaction with real contracts", () => {
  test("wraps ether", async () => {
    const data = encodeFunctionData({ abi, functionName: "deposit" });
    const found = await onChain(anvil.url).expectMinedAlike({ from: alice, to: at.weth, data, value: 7n });
    expect(changes(found)).toEqual({ native: -7n, [at.weth]: 7n });
    expect(found.divergences).toEqual([]);
  });

  test("swaps on Uniswap V2", async () => {
    const { expectMinedAlike } = onChain(anvil.url);
    const { effects } = await expectMinedAlike(approve(at.v2Router));
    expect(effects.approvals).toMatchObject([{ spender: at.v2Router, before: 0n, after: amount }]);
    const args = [amount, 0n, [at.usdc, at.weth], alice, deadline] as const;
    const data = encodeFunctionData({ abi, functionName: "swapExactTokensForETH", args });
    const found = await expectMinedAlike({ from: alice, to: at.v2Router, data });
    expect(changes(found)).toMatchObject({ [at.usdc]: -amount });
    expect(changes(found)["native"]).toBeGreaterThan(parseUnits("0.99", 18));
    expect(found.divergences).toEqual([]);
  });

  test("swaps on Uniswap V3", async () => {
    const { expectMinedAlike } = onChain(anvil.url);
    await expectMinedAlike(approve(at.v3Router));
    const swap = {
      ...{ tokenIn: at.usdc, tokenOut: at.weth, fee: 500, recipient: alice, deadline },
      ...{ amountIn: amount, amountOutMinimum: 0n, sqrtPriceLimitX96: 0n },
    };
    const data = encodeFunctionData({ abi, functionName: "exactInputSingle", args: [swap] });
    const found = await expectMinedAlike({ from: alice, to: at.v3Router, data });
    expect(changes(found)).toMatchObject({ [at.usdc]: -amount });
    expect(changes(found)[at.weth]).toBeGreaterThan(parseUnits("0.99", 18));
    expect(found.divergences).toEqual([]);
  });

  test("approves and swaps in two calls, of which the second cannot succeed alone", async () => {
    const { expectMinedAlike } = onChain(anvil.url);
    const { from: _, ...approval } = approve(at.v2Router);
    await expectMinedAlike({
      ...{ from: alice, to: at.usdc },
      data: encodeFunctionData({ abi, functionName: "approve", args: [at.v2Router, 0n] }),
    });
    const args = [amount, 0n, [at.usdc, at.weth], alice, deadline] as const;
    const data = encodeFunctionData({ abi, functionName: "swapExactTokensForETH", args });
    const swap = { to: at.v2Router, data };
    const { effects, divergences } = await expectMinedAlike({
      ...{ from: alice, ...approval },
      following: [swap],
    });
    expect(effects).toMatchObject({
      outcome: { succeeded: true, calls: 2 },
      approvals: [{ spender: at.v2Router, before: 0n, after: 0n }],
    });
    expect(divergences).toEqual([]);
  });

  test("sends tokens that return nothing, keep a fee or rebase", async () => {
    const { expectMinedAlike } = onChain(anvil.url);
    for (const token of [at.usdt, at.dai, oddTokens.fee, oddTokens.rebasing]) {
      const found = await expectMinedAlike(transfer(token));
      expect(changes(found)).toEqual({ [token]: -1_000n });
      expect(found.divergences).toEqual([]);
    }
  });
});
