// Aave V3 with USDC and WETH, set up through its own contracts, with liquidity.
import { parseUnits, stringToHex, zeroAddress, type Hex } from "viem";
import { addresses as at, deployer, oddTokens } from "./addresses.ts";
import { readArtifact, type Links } from "./artifacts.ts";
import type { Stage } from "./place.ts";

const aave = (file: string, links: Links = {}) => {
  const name = file.split("/").at(-1) ?? "";
  return readArtifact("@aave/core-v3", `artifacts/contracts/${file}.sol/${name}.json`, links);
};
const logic = (name: string): string => `protocol/libraries/logic/${name}`;

const provider = () => aave("protocol/configuration/PoolAddressesProvider");
const acl = () => aave("protocol/configuration/ACLManager");

const percent = (share: bigint): bigint => (10n ** 27n * share) / 100n;

/** The libraries that the pool delegates to. */
async function createLibraries({ create }: Stage): Promise<Links> {
  const links: Record<string, Hex> = {};
  for (const name of [
    ...["BorrowLogic", "BridgeLogic", "EModeLogic", "LiquidationLogic", "PoolLogic", "SupplyLogic"],
    ...["ConfiguratorLogic", "FlashLoanLogic"],
  ])
    links[name] = await create(aave(logic(name), links));
  return links;
}

/** A proxy that the provider already knows is upgraded instead of created, so that it keeps its address on Ethereum. */
async function placePool(stage: Stage, links: Links): Promise<void> {
  const { place, write, create } = stage;
  const { abi } = provider();
  const proxy = aave("protocol/libraries/aave-upgradeability/InitializableImmutableAdminUpgradeabilityProxy");
  const known = [
    ["POOL", at.aavePool],
    ["POOL_CONFIGURATOR", at.aaveConfigurator],
  ] as const;
  for (const [id, address] of known) {
    await place(address, proxy, [at.aaveProvider]);
    await write({ to: at.aaveProvider, abi }, "setAddress", [stringToHex(id, { size: 32 }), address]);
  }
  const pool = await create(aave("protocol/pool/Pool", links), [at.aaveProvider]);
  await write({ to: at.aaveProvider, abi }, "setPoolImpl", [pool]);
  const configurator = await create(aave("protocol/pool/PoolConfigurator", links));
  await write({ to: at.aaveProvider, abi }, "setPoolConfiguratorImpl", [configurator]);
}

async function listReserves({ create, write }: Stage, links: Links): Promise<void> {
  const rates = await create(aave("protocol/pool/DefaultReserveInterestRateStrategy"), [
    ...[at.aaveProvider, percent(90n), 0n, percent(4n), percent(60n), percent(1n), percent(60n)],
    ...[percent(1n), percent(8n), percent(20n)],
  ]);
  const [aTokenImpl, stableDebtTokenImpl, variableDebtTokenImpl] = [
    await create(aave("protocol/tokenization/AToken"), [at.aavePool]),
    await create(aave("protocol/tokenization/StableDebtToken"), [at.aavePool]),
    await create(aave("protocol/tokenization/VariableDebtToken"), [at.aavePool]),
  ];
  const configurator = { to: at.aaveConfigurator, abi: aave("protocol/pool/PoolConfigurator", links).abi };
  // The order of Ethereum, because the addresses of the claims follow from it. Odd tokens are in the places of wstETH and WBTC.
  for (const [underlyingAsset, symbol, underlyingAssetDecimals] of [
    [at.weth, "WETH", 18],
    [oddTokens.fee, "wstETH", 18],
    [oddTokens.rebasing, "WBTC", 18],
    [at.usdc, "USDC", 6],
  ] as const) {
    const reserve = {
      ...{ aTokenImpl, stableDebtTokenImpl, variableDebtTokenImpl, underlyingAsset, underlyingAssetDecimals },
      ...{ interestRateStrategyAddress: rates, treasury: deployer, incentivesController: zeroAddress },
      ...{ aTokenName: `Aave Ethereum ${symbol}`, aTokenSymbol: `aEth${symbol}`, params: "0x10" },
      variableDebtTokenName: `Aave Ethereum Variable Debt ${symbol}`,
      variableDebtTokenSymbol: `variableDebtEth${symbol}`,
      stableDebtTokenName: `Aave Ethereum Stable Debt ${symbol}`,
      stableDebtTokenSymbol: `stableDebtEth${symbol}`,
    };
    await write(configurator, "initReserves", [[reserve]]);
    if (underlyingAsset !== at.weth && underlyingAsset !== at.usdc) continue;
    await write(configurator, "configureReserveAsCollateral", [underlyingAsset, 7_500n, 7_800n, 10_500n]);
    await write(configurator, "setReserveBorrowing", [underlyingAsset, true]);
  }
}

/** The deployer must hold both tokens. */
export async function placeAave(stage: Stage, erc20: Parameters<Stage["write"]>[0]["abi"]): Promise<void> {
  const { place, write } = stage;
  await place(at.aaveProvider, provider(), ["Aave Ethereum Market", deployer]);
  const tell = (name: string, value: Hex) =>
    write({ to: at.aaveProvider, abi: provider().abi }, name, [value]);
  await tell("setACLAdmin", deployer);
  await place(at.aaveAcl, acl(), [at.aaveProvider]);
  await tell("setACLManager", at.aaveAcl);
  for (const role of ["addPoolAdmin", "addAssetListingAdmin", "addRiskAdmin"])
    await write({ to: at.aaveAcl, abi: acl().abi }, role, [deployer]);
  const feeds = [
    [at.usdc, at.weth],
    [at.usdcUsdFeed, at.ethUsdFeed],
  ];
  await place(at.aaveOracle, aave("misc/AaveOracle"), [
    ...[at.aaveProvider, ...feeds, zeroAddress, zeroAddress, 10n ** 8n],
  ]);
  await tell("setPriceOracle", at.aaveOracle);
  const links = await createLibraries(stage);
  await placePool(stage, links);
  await listReserves(stage, links);
  const pool = { to: at.aavePool, abi: aave("protocol/pool/Pool", links).abi };
  for (const [asset, amount] of [
    [at.usdc, parseUnits("1000000", 6)],
    [at.weth, parseUnits("1000", 18)],
  ] as const) {
    await write({ to: asset, abi: erc20 }, "approve", [at.aavePool, amount]);
    await write(pool, "supply", [asset, amount, deployer, 0]);
  }
}
