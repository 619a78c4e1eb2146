import { rmSync } from "node:fs";
import { keccak256, namehash, parseAbi, parseUnits, type Hex } from "viem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeSupervisor, startAnvil, type Anvil } from "../engines/index.ts";
import { freePorts, makeTempDir } from "../testing/index.ts";
import { readArtifact } from "./artifacts.ts";
import { addresses as at, buildWorld, deployer, oddTokens, type World } from "./index.ts";
import { checkIntegrity } from "./fetch-packages.ts";
import { packages } from "./packages.ts";
import { makeStage, type Stage } from "./place.ts";

const dir = makeTempDir("world");
const supervisor = makeSupervisor({ logDir: dir });
let [anvil, stage, world] = [undefined, undefined, undefined] as unknown as [Anvil, Stage, World];
let [alice, bob] = ["0x", "0x"] as [Hex, Hex];

beforeAll(async () => {
  const [port = 0] = await freePorts(1);
  anvil = await startAnvil({ supervisor, dir: `${dir}/anvil`, port, chainId: 1 });
  world = await buildWorld(anvil);
  stage = makeStage(anvil.url);
  [alice, bob] = world.holders as [Hex, Hex];
});
afterAll(async () => {
  await supervisor.stop();
  rmSync(dir, { recursive: true, force: true });
});

const token = parseAbi([
  "function balanceOf(address holder) view returns (uint256)",
  "function decimals() view returns (uint8)",
  "function symbol() view returns (string)",
  "function transfer(address to, uint256 value)",
  "function approve(address spender, uint256 value)",
  "function setBlocked(address who, bool blocked)",
  "function rebase(uint256 percent)",
]);
const balance = async (of: Hex, holder: Hex) =>
  BigInt(String(await stage.read({ to: of, abi: token }, "balanceOf", [holder])));
const max = 2n ** 256n - 1n;
const deadline = 4_000_000_000n;

describe("addresses", () => {
  test.each(Object.entries({ ...at, ...oddTokens }))("%s has code", async (_, address) => {
    expect((await stage.chain.getCode({ address }))?.length ?? 0).toBeGreaterThan(200);
  });

  test("pools get the addresses that they have on Ethereum", async () => {
    const pairs = parseAbi(["function getPair(address one, address other) view returns (address)"]);
    expect(await stage.read({ to: at.v2Factory, abi: pairs }, "getPair", [at.usdc, at.weth])).toBe(
      "0xB4e16d0168e52d35CaCD2c6185b44281Ec28C9Dc",
    );
    const pools = parseAbi([
      "function getPool(address one, address other, uint24 fee) view returns (address)",
    ]);
    expect(await stage.read({ to: at.v3Factory, abi: pools }, "getPool", [at.usdc, at.weth, 500])).toBe(
      "0x88e6A0c2dDD26FEEb64F039a2c41296FcB3f5640",
    );
  });

  test("the Safe's code is that of release 1.4.1", async () => {
    // From @safe-global/safe-deployments 1.37.63.
    expect(keccak256((await stage.chain.getCode({ address: at.safe })) ?? "0x")).toBe(
      "0x1fe2df852ba3299d6534ef416eefa406e56ced995bca886ab7a553e6d0c5e1c4",
    );
  });
});

describe("contracts", () => {
  test("tokens have their names, decimals and balances", async () => {
    for (const [address, symbol, decimals] of [
      [at.usdc, "USDC", 6],
      [at.usdt, "USDT", 6],
      [at.dai, "DAI", 18],
      [at.weth, "WETH", 18],
    ] as const) {
      expect(await stage.read({ to: address, abi: token }, "symbol")).toBe(symbol);
      expect(await stage.read({ to: address, abi: token }, "decimals")).toBe(decimals);
    }
    expect(await balance(at.usdc, bob)).toBe(parseUnits("100000000", 6));
  });

  test("Uniswap V2 and V3 swap near the price of the feed", async () => {
    await stage.write({ to: at.usdc, abi: token, from: alice }, "approve", [at.v2Router, max]);
    await stage.write({ to: at.usdc, abi: token, from: alice }, "approve", [at.v3Router, max]);
    const amount = parseUnits("3000", 6);
    const isNearOneEther = (got: bigint) => got > parseUnits("0.99", 18) && got < parseUnits("1", 18);
    const before = await balance(at.weth, alice);
    const { abi: v2 } = readArtifact("@uniswap/v2-periphery", "build/UniswapV2Router02.json");
    const path = [at.usdc, at.weth];
    await stage.write({ to: at.v2Router, abi: v2, from: alice }, "swapExactTokensForTokens", [
      ...[amount, 0n, path, alice, deadline],
    ]);
    const between = await balance(at.weth, alice);
    expect(isNearOneEther(between - before)).toBe(true);
    const router = "artifacts/contracts/SwapRouter.sol/SwapRouter.json";
    const { abi: v3 } = readArtifact("@uniswap/v3-periphery", router);
    const swap = {
      ...{ tokenIn: at.usdc, tokenOut: at.weth, fee: 500, recipient: alice, deadline },
      ...{ amountIn: amount, amountOutMinimum: 0n, sqrtPriceLimitX96: 0n },
    };
    await stage.write({ to: at.v3Router, abi: v3, from: alice }, "exactInputSingle", [swap]);
    expect(isNearOneEther((await balance(at.weth, alice)) - between)).toBe(true);
    const feed = parseAbi(["function latestAnswer() view returns (int256)"]);
    expect(await stage.read({ to: at.ethUsdFeed, abi: feed }, "latestAnswer")).toBe(300_000_000_000n);
  });

  test("odd tokens keep a fee, refuse accounts, and rebase", async () => {
    const send = (of: Hex, to: Hex) =>
      stage.write({ to: of, abi: token, from: alice }, "transfer", [to, 1_000n]);
    const carol: Hex = `0x${"c4".repeat(20)}`;
    await send(oddTokens.fee, carol);
    expect(await balance(oddTokens.fee, carol)).toBe(990n);
    await stage.write({ to: oddTokens.blocking, abi: token }, "setBlocked", [carol, true]);
    await expect(send(oddTokens.blocking, carol)).rejects.toThrow("blocked");
    await send(oddTokens.rebasing, carol);
    await stage.write({ to: oddTokens.rebasing, abi: token }, "rebase", [110n]);
    expect(await balance(oddTokens.rebasing, carol)).toBe(1_100n);
  });

  test("Permit2, the Safe and ENS answer", async () => {
    const permit2 = parseAbi([
      "function approve(address token, address spender, uint160 amount, uint48 until)",
      "function allowance(address owner, address token, address spender) view returns (uint160, uint48, uint48)",
    ]);
    await stage.write({ to: at.permit2, abi: permit2, from: alice }, "approve", [
      at.usdc,
      bob,
      5n,
      4_000_000_000,
    ]);
    expect(await stage.read({ to: at.permit2, abi: permit2 }, "allowance", [alice, at.usdc, bob])).toEqual([
      5n,
      4_000_000_000,
      0,
    ]);
    const safe = parseAbi(["function getOwners() view returns (address[])"]);
    const owners = (await stage.read({ to: world.safe, abi: safe }, "getOwners")) as readonly Hex[];
    expect(owners.map((owner) => owner.toLowerCase())).toEqual([alice, bob]);
    const ens = parseAbi(["function owner(bytes32 node) view returns (address)"]);
    expect(
      String(await stage.read({ to: at.ens, abi: ens }, "owner", [namehash("alice.eth")])).toLowerCase(),
    ).toBe(alice);
    const resolver = parseAbi(["function addr(bytes32 node) view returns (address)"]);
    for (const [name, address] of [
      ["alice.eth", alice],
      ["bob.eth", bob],
      ["lapsed.eth", bob],
    ] as const)
      expect(
        String(
          await stage.read({ to: at.ensResolver, abi: resolver }, "addr", [namehash(name)]),
        ).toLowerCase(),
      ).toBe(address);
    expect(await stage.chain.getBalance({ address: deployer })).toBeGreaterThan(0n);
  });
});

describe("packages", () => {
  test("are rejected if a byte of the tarball differs", () => {
    for (const one of packages)
      expect(() => {
        checkIntegrity(new Uint8Array([1]), one);
      }).toThrow("is not the pinned one");
  });
});

describe("on chain 8453", () => {
  let base: Stage;
  beforeAll(async () => {
    const [port = 0] = await freePorts(1);
    const node = await startAnvil({ supervisor, dir: `${dir}/base`, port, chainId: 8453 });
    await buildWorld(node);
    base = makeStage(node.url);
  });

  test("the world has the same contracts at the same addresses, without the name service", async () => {
    expect(await base.chain.getChainId()).toBe(8453);
    for (const [name, address] of Object.entries({ ...at, ...oddTokens })) {
      const size = (await base.chain.getCode({ address }))?.length ?? 0;
      expect([name, size > 200]).toEqual([name, !name.startsWith("ens")]);
    }
  });

  test("contracts that sign for one chain sign for this one", async () => {
    const separator = parseAbi(["function DOMAIN_SEPARATOR() view returns (bytes32)"]);
    const read = (on: Stage) => on.read({ to: at.permit2, abi: separator }, "DOMAIN_SEPARATOR");
    expect(await read(base)).not.toBe(await read(stage));
  });

  test("pools have liquidity and holders have tokens", async () => {
    const amounts = parseAbi(["function getAmountsOut(uint256, address[]) view returns (uint256[])"]);
    const path = [at.usdc, at.weth];
    const [, out = 0n] = (await base.read({ to: at.v2Router, abi: amounts }, "getAmountsOut", [
      parseUnits("3000", 6),
      path,
    ])) as readonly bigint[];
    expect(out).toBeGreaterThan(parseUnits("0.99", 18));
    expect(
      BigInt(String(await base.read({ to: at.usdc, abi: token }, "balanceOf", [alice]))),
    ).toBeGreaterThan(parseUnits("1000000", 6));
  });
});
