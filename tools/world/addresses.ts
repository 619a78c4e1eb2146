import type { Hex } from "viem";

/** Canonical addresses on Ethereum, in lower case. On every chain of ours the world uses the same. */
export const addresses = {
  weth: "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
  usdc: "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48",
  usdt: "0xdac17f958d2ee523a2206206994597c13d831ec7",
  dai: "0x6b175474e89094c44da98b954eedeac495271d0f",
  ethUsdFeed: "0x5f4ec3df9cbd43714fe2740f5e3616155c5b8419",
  usdcUsdFeed: "0x8fffffd4afb6115b954bd326cbe7b4ba576818f6",
  v2Factory: "0x5c69bee701ef814a2b6a3edd4b1652cb9cc5aa6f",
  v2Router: "0x7a250d5630b4cf539739df2c5dacb4c659f2488d",
  v3Factory: "0x1f98431c8ad98523631ae4a59f267346ea31f984",
  v3Router: "0xe592427a0aece92de3edee1f18e0157c05861564",
  v3Positions: "0xc36442b4a4522e871399cd717abdd847ab11fe88",
  v3Quoter: "0x61ffe014ba17989e743c5f6cb21bf9697530b21e",
  universalRouter: "0x4c82d1fbfe28c977cbb58d8c7ff8fcf9f70a2cca",
  permit2: "0x000000000022d473030f116ddee9f6b43ac78ba3",
  safe: "0x41675c099f32341bf84bfc5382af534df5c7461a",
  safeL2: "0x29fcb43b46531bca003ddc8fcb67ffe91900c762",
  safeFactory: "0x4e1dcf7ad4e460cfd30791ccc4f9c8a4f820ec67",
  safeHandler: "0xfd0732dc9e303f09fcef3a7388ad10a83459ec99",
  multiSend: "0x38869bf66a61cf6bdb996a6ae40d5853fd43b526",
  multiSendCallOnly: "0x9641d764fc13c8b624c04430c7356c1c7c8102e2",
  aaveProvider: "0x2f39d218133afab8f2b819b1066c7e434ad94e9e",
  aavePool: "0x87870bca3f3fd6335c3f4ce8392d69350b4fa4e2",
  aaveConfigurator: "0x64b761d848206f447fe2dd461b0c635ec39ebb27",
  aaveOracle: "0x54586be62e3c3580375ae3723c145253060ca0c2",
  aaveAcl: "0xc2aacf6553d20d1e9d78e365aaba8032af9c85b0",
  ens: "0x00000000000c2e074ec69a0dfb2997ba6c7d2e1e",
  ensRegistrar: "0x57f1887a8bf19b14fc0df6fd9b2acc9af147ea85",
  ensResolver: "0x4976fb03c32e5b8cfe2b6ccb31c09ba78ebaba41",
} as const satisfies Readonly<Record<string, Hex>>;

/** Tokens that do not exist on a public chain. */
export const oddTokens = {
  fee: "0xfee0000000000000000000000000000000000001",
  blocking: "0xb10c000000000000000000000000000000000001",
  rebasing: "0x2eba5e0000000000000000000000000000000001",
} as const satisfies Readonly<Record<string, Hex>>;

/** Owns the contracts, has minted the liquidity, and is impersonated. */
export const deployer: Hex = "0x00000000000000000000000000000000000dec10";
