// Protocol deployments, from each protocol's published list of addresses. Uniswap's come from its SDK where possible.
import { getAddress } from "ethers";
import { must } from "../must.ts";
import { SWAP_ROUTER_02_ADDRESSES, UNIVERSAL_ROUTER_ADDRESS, V2_ROUTER_ADDRESSES } from "./sdks.ts";

export const PERMIT2 = "0x000000000022D473030F116dDEE9F6B43aC78BA3";
export const MULTICALL3 = "0xcA11bde05977b3631167028862bE2a173976CA11";
export const V3_ROUTER = "0xE592427A0AEce92De3Edee1F18E0157C05861564";
export const ONEINCH_V6 = "0x111111125421cA6dc452d289314280a0f8842A65";
export const COW_SETTLEMENT = "0x9008D19f58AAbD9eD0D60971565AA8510560ab41";
export const SEAPORT_16 = "0x0000000000000068F116a894984e2DB1123eB395";
export const OPENSEA_CONDUIT_KEY = "0x0000007b02230091a7ed01230072f7006a004d60a8d4e71d599b8104250f0000";
export const ENTRYPOINT_07 = "0x0000000071727De22E5E9d8BAf0edAc6f37da032";
/** Safe deployments, safe-global/safe-deployments 1.3.0 and 1.4.1. */
export const MULTISEND_CALL_ONLY = "0x9641d764fc13c8B624c04430C7356C1C7C8102e2";
/** MetaMask's stateless delegator for EIP-7702 (delegation-framework 1.3.0). */
export const METAMASK_DELEGATOR = "0x63c0c19a282a1B52b07dD5a65b58948A07DAE32B";
export const LIDO_QUEUE = "0x889edC2eDab5f40e902b864aD4d7AdE8E412F9B1";
export const ROCKET_DEPOSIT = "0xDD3f50F8A6CafbE9b31a427582963f465E745AF8";
export const COMET_REWARDS = "0x1B0e765F6224C21223AeA2af16c1C46E38885a40";
export const SUSHI_V2_ROUTER = "0xd9e1cE17f2641f24aE83637ab66a2cca9C378B9F";

export const V2_ROUTER: Record<number, string> = Object.fromEntries(
  [1, 10, 137, 8453, 42161].map((c) => [c, getAddress(must(V2_ROUTER_ADDRESSES[c]))]),
);
export const ROUTER_02: Record<number, string> = Object.fromEntries(
  [1, 10, 137, 8453, 42161, 11155111].map((c) => [c, getAddress(SWAP_ROUTER_02_ADDRESSES(c))]),
);

export function universalRouter(version: "1.2" | "2.0", chain: number): string {
  return getAddress(UNIVERSAL_ROUTER_ADDRESS(version, chain));
}

/** aave.com deployed contracts: Pool proxies of the v3 core markets. */
export const AAVE_POOL: Record<number, string> = {
  1: "0x87870Bca3F3fD6335C3F4ce8392D69350B4fA4E2",
  10: "0x794a61358D6845594F94dc1DB02A252b5b4814aD",
  137: "0x794a61358D6845594F94dc1DB02A252b5b4814aD",
  42161: "0x794a61358D6845594F94dc1DB02A252b5b4814aD",
  8453: "0xA238Dd80C259a72e81d7e4664a9801593F98d1c5",
};

/** docs.compound.finance: Comet proxies with USDC as base. */
export const COMET_USDC: Record<number, string> = {
  1: "0xc3d688B66703497DAA19211EEdff47f25384cdc3",
  8453: "0xb125E6687d4313864e53df431d5425969c15Eb2F",
  42161: "0x9c4ec768c28520B50860ea7a15bd7213a9fF58bf",
};

export const C_TOKENS: Record<string, string> = {
  USDC: "0x39AA39c021dfbaE8faC545936693aC917d5E7563",
  DAI: "0x5d3a536E4D6DbD6114cc1Ead35777bAB948E3643",
};
export const C_ETHER = "0x4Ddc2D193948926D02f9B1fE9e1daa0718270ED5";

/** docs.across.to: SpokePool proxies. */
export const SPOKE_POOL: Record<number, string> = {
  1: "0x5c7BCd6E7De5423a257D81B442095A1a6ced35C5",
  8453: "0x09aea4b2242abC8bb4BB78D537A67a245A7bEC64",
  42161: "0xe35e9842fceaCA96570B734083f4a58e8F7C5f2A",
  10: "0x6f26Bf09B1C792e3228e5467807a900A503c0281",
};

export const VAULTS: readonly { name: string; address: string; asset: string }[] = [
  { name: "sDAI", address: "0x83F20F44975D03b1b09e64809B757c47f942BEeA", asset: "DAI" },
  {
    name: "Steakhouse USDC vault",
    address: "0xBEEF01735c132Ada46AA9aA4c54623cAA92A64CB",
    asset: "USDC",
  },
];

/** developers.uniswap.org: UniswapX V2 Dutch reactors. */
export const UNISWAPX_REACTOR: Record<number, string> = {
  1: "0x00000011F84B9aa48e5f8aA8B9897600006289Be",
  42161: "0x1bd1aAdc9E230626C44a139d7E70d842749351eb",
};

export const NFTS: readonly { name: string; address: string }[] = [
  { name: "Bored Ape", address: "0xBC4CA0EdA7647A8aB7C2061c2E118A18a936f13D" },
  { name: "Pudgy Penguin", address: "0xBd3531dA5CF5857e7CfAA92426877b022e612cf8" },
  { name: "Azuki", address: "0xED5AF388653567Af2F388E6224dC7C4b3241C544" },
  { name: "Milady", address: "0x5Af0D9827E0c53E4799BB226655A1de152A425a5" },
];
export const MULTI_NFTS: readonly { name: string; address: string }[] = [
  { name: "Parallel Alpha card", address: "0x76BE3b62873462d2142405439777e971754E8E77" },
];
