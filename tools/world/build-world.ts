// Real contracts at their canonical addresses on a local chain, with liquidity and prices.
import {
  encodeFunctionData,
  keccak256,
  parseAbi,
  parseUnits,
  stringToHex,
  zeroAddress,
  type Hex,
} from "viem";
import { devAccounts } from "../engines/index.ts";
import { addresses as at, deployer, oddTokens } from "./addresses.ts";
import { ownArtifact, readArtifact, readPackageFile } from "./artifacts.ts";
import { fetchPackages } from "./fetch-packages.ts";
import { placeAave } from "./place-aave.ts";
import { placeEns } from "./place-ens.ts";
import { makeStage, type Stage } from "./place.ts";
import { placeUniversalRouter } from "./place-universal-router.ts";

const erc20 = parseAbi([
  "function mint(address to, uint256 value)",
  "function approve(address spender, uint256 value)",
  "function describe()",
]);
const millions = (amount: number, decimals: number): bigint => parseUnits(`${amount}000000`, decimals);
const ether = (amount: number): bigint => parseUnits(`${amount}`, 18);
const max = 2n ** 256n - 1n;
/** Later than any test. */
const deadline = 4_000_000_000n;

async function placeTokens(stage: Stage, holders: readonly Hex[]): Promise<void> {
  const { place, create, write, send } = stage;
  await place(at.weth, readArtifact("canonical-weth", "build/contracts/WETH9.json"));
  await place(at.usdc, ownArtifact("OldProxy"), [await create(ownArtifact("UsdCoin"))]);
  await write({ to: at.usdc, abi: erc20 }, "describe", []);
  await place(at.usdt, ownArtifact("SilentReturnToken"));
  await place(at.dai, ownArtifact("Token"), ["Dai Stablecoin", "DAI", 18]);
  await place(oddTokens.fee, ownArtifact("FeeToken"));
  await place(oddTokens.blocking, ownArtifact("BlockingToken"));
  await place(oddTokens.rebasing, ownArtifact("RebasingToken"));
  await place(at.ethUsdFeed, ownArtifact("Feed"), [3_000n * 10n ** 8n, "ETH / USD"]);
  await place(at.usdcUsdFeed, ownArtifact("Feed"), [10n ** 8n, "USDC / USD"]);
  const decimals = new Map<Hex, number>([
    ...([at.usdc, at.usdt] as const).map((token): [Hex, number] => [token, 6]),
    ...[at.dai, ...Object.values(oddTokens)].map((token): [Hex, number] => [token, 18]),
  ]);
  for (const holder of [deployer, ...holders])
    for (const [token, places] of decimals)
      await write({ to: token, abi: erc20 }, "mint", [holder, millions(100, places)]);
  await send({ to: at.weth, value: ether(100_000) });
}

async function placeUniswapV2({ place, write }: Stage): Promise<void> {
  const router = readArtifact("@uniswap/v2-periphery", "build/UniswapV2Router02.json");
  await place(at.v2Factory, readArtifact("@uniswap/v2-core", "build/UniswapV2Factory.json"), [deployer]);
  await place(at.v2Router, router, [at.v2Factory, at.weth]);
  for (const token of [at.usdc, at.dai, at.weth, oddTokens.fee])
    await write({ to: token, abi: erc20 }, "approve", [at.v2Router, max]);
  const pools = [
    [at.usdc, at.weth, millions(30, 6), ether(10_000)],
    [at.dai, at.usdc, millions(10, 18), millions(10, 6)],
    [oddTokens.fee, at.weth, millions(3, 18), ether(1_000)],
  ] as const;
  for (const [one, other, amount, amountOfOther] of pools)
    await write({ to: at.v2Router, abi: router.abi }, "addLiquidity", [
      ...[one, other, amount, amountOfOther, 0n, 0n],
      ...[deployer, deadline],
    ]);
}

const v3 = (file: string) => readArtifact("@uniswap/v3-periphery", `artifacts/contracts/${file}`);

async function placeUniswapV3({ place, write }: Stage): Promise<void> {
  const core = "artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json";
  const positions = v3("NonfungiblePositionManager.sol/NonfungiblePositionManager.json");
  const factory = readArtifact("@uniswap/v3-core", core);
  await place(at.v3Factory, factory);
  await place(at.v3Router, v3("SwapRouter.sol/SwapRouter.json"), [at.v3Factory, at.weth]);
  await place(at.v3Positions, positions, [at.v3Factory, at.weth, at.v3Positions]);
  await place(at.v3Quoter, v3("lens/QuoterV2.sol/QuoterV2.json"), [at.v3Factory, at.weth]);
  // Governance enabled this fee in 2021.
  await write({ to: at.v3Factory, abi: factory.abi }, "enableFeeAmount", [100, 1]);
  for (const token of [at.usdc, at.dai, at.weth])
    await write({ to: token, abi: erc20 }, "approve", [at.v3Positions, max]);
  const pools = [
    { tokens: [at.usdc, at.weth], fee: 500, spacing: 10, amounts: [millions(30, 6), ether(10_000)] },
    { tokens: [at.usdc, at.weth], fee: 3_000, spacing: 60, amounts: [millions(15, 6), ether(5_000)] },
    { tokens: [at.dai, at.usdc], fee: 100, spacing: 1, amounts: [millions(10, 18), millions(10, 6)] },
  ] as const;
  for (const { tokens, fee, spacing, amounts } of pools) {
    const [token0, token1] = tokens;
    const [amount0Desired, amount1Desired] = amounts;
    const price = squareRoot((amount1Desired << 192n) / amount0Desired);
    await write({ to: at.v3Positions, abi: positions.abi }, "createAndInitializePoolIfNecessary", [
      token0,
      token1,
      fee,
      price,
    ]);
    const edge = Math.floor(887_272 / spacing) * spacing;
    const mint = {
      ...{ token0, token1, fee, tickLower: -edge, tickUpper: edge, amount0Desired, amount1Desired },
      ...{ amount0Min: 0n, amount1Min: 0n, recipient: deployer, deadline },
    };
    await write({ to: at.v3Positions, abi: positions.abi }, "mint", [mint]);
  }
}

function squareRoot(value: bigint): bigint {
  let [guess, next] = [value, (value + 1n) / 2n];
  while (next < guess) [guess, next] = [next, (next + value / next) / 2n];
  return guess;
}

/** Permit2 has no package with bytecode. A deployment helper of Uniswap v4 contains its runtime code. */
async function placePermit2({ chain }: Stage): Promise<void> {
  const file = "foundry-out/DeployPermit2.sol/DeployPermit2.json";
  const helper = readPackageFile("@uniswap/v4-periphery", file) as {
    readonly deployedBytecode: { readonly object: string };
  };
  const { object } = helper.deployedBytecode;
  const start = object.indexOf("6040608081526004908136101561001557");
  if (start === -1) throw new Error("the code of Permit2 was not found");
  await chain.setCode({ address: at.permit2, bytecode: `0x${object.slice(start, start + 2 * 9_152)}` });
}

const safeFile = (file: string) =>
  readArtifact("@safe-global/safe-contracts", `build/artifacts/contracts/${file}`);

/** Returns a Safe whose owners all must sign. */
async function placeSafe({ place, write }: Stage, owners: readonly Hex[]): Promise<Hex> {
  const factory = safeFile("proxies/SafeProxyFactory.sol/SafeProxyFactory.json");
  const singleton = safeFile("Safe.sol/Safe.json");
  await place(at.safe, singleton);
  await place(at.safeL2, safeFile("SafeL2.sol/SafeL2.json"));
  await place(at.safeFactory, factory);
  await place(at.multiSend, safeFile("libraries/MultiSend.sol/MultiSend.json"));
  await place(at.multiSendCallOnly, safeFile("libraries/MultiSendCallOnly.sol/MultiSendCallOnly.json"));
  const handler = "handler/CompatibilityFallbackHandler.sol/CompatibilityFallbackHandler.json";
  await place(at.safeHandler, safeFile(handler));
  const setup = encodeFunctionData({
    ...{ abi: singleton.abi, functionName: "setup" },
    args: [owners, BigInt(owners.length), zeroAddress, "0x", at.safeHandler, zeroAddress, 0n, zeroAddress],
  });
  const { logs } = await write({ to: at.safeFactory, abi: factory.abi }, "createProxyWithNonce", [
    at.safe,
    setup,
    1n,
  ]);
  const created = logs.find(
    ({ topics }) => topics[0] === keccak256(stringToHex("ProxyCreation(address,address)")),
  );
  return `0x${created?.topics[1]?.slice(-40) ?? ""}`;
}

/** The name service exists on this chain only. */
const ethereum = 1;

export type World = { readonly safe: Hex; readonly holders: readonly Hex[] };

/**
 * Builds the world on an anvil chain, in seconds; the name service only on chain 1. anvil's first two accounts have 100 million of each token and own a Safe.
 * Afterwards every account can send, and a block is mined for each transaction.
 */
export async function buildWorld({ url }: { readonly url: string }): Promise<World> {
  await fetchPackages();
  const stage = makeStage(url);
  const [alice, bob] = devAccounts().map(({ address }) => address.toLowerCase() as Hex);
  if (alice === undefined || bob === undefined) throw new Error("anvil has no accounts");
  await stage.open();
  await stage.fund(deployer, "1000000");
  await placeTokens(stage, [alice, bob]);
  await placeUniswapV2(stage);
  await placeUniswapV3(stage);
  await placePermit2(stage);
  await placeUniversalRouter(stage);
  await placeAave(stage, erc20);
  const safe = await placeSafe(stage, [alice, bob]);
  await stage.write({ to: at.usdc, abi: erc20 }, "mint", [safe, millions(10, 6)]);
  await stage.fund(safe, "1000");
  if ((await stage.chain.getChainId()) === ethereum) await placeEns(stage, { alice, bob });
  await stage.chain.mine({ blocks: 1 });
  return { safe, holders: [alice, bob] };
}

/**
 * Builds only the contracts that take signatures: Permit2, and a Safe of these owners with 1,000 ether. Afterwards every account can send, and a
 * block is mined for each transaction.
 */
export async function buildSigners(url: string, owners: readonly Hex[]): Promise<Pick<World, "safe">> {
  await fetchPackages();
  const stage = makeStage(url);
  await stage.open();
  await stage.fund(deployer, "1000000");
  await placePermit2(stage);
  const safe = await placeSafe(stage, owners);
  await stage.fund(safe, "1000");
  return { safe };
}
