// Tokens, typed by hand from the issuers' own pages (Circle, Tether, Sky, Lido, Rocket Pool, Uniswap, Compound,
// Chainlink) and the chains' bridge documentation. `selftest` verifies every checksum.
import { getAddress } from "ethers";
import type { Token } from "../types.ts";

type Row = [chain: number, symbol: string, decimals: number, address: string];

const ROWS: Row[] = [
  [1, "USDC", 6, "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"],
  [1, "USDT", 6, "0xdAC17F958D2ee523a2206206994597C13D831ec7"],
  [1, "DAI", 18, "0x6B175474E89094C44Da98b954EedeAC495271d0F"],
  [1, "WETH", 18, "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2"],
  [1, "WBTC", 8, "0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599"],
  [1, "LINK", 18, "0x514910771AF9Ca656af840dff83E8264EcF986CA"],
  [1, "UNI", 18, "0x1f9840a85d5aF5bf1D1762F925BDADdC4201F984"],
  [1, "AAVE", 18, "0x7Fc66500c84A76Ad7e9c93437bFc5Ac33E2DDaE9"],
  [1, "COMP", 18, "0xc00e94Cb662C3520282E6f5717214004A7f26888"],
  [1, "ENS", 18, "0xC18360217D8F7Ab5e7c516566761Ea12Ce7F9D72"],
  [1, "stETH", 18, "0xae7ab96520DE3A18E5e111B5EaAb095312D7fE84"],
  [1, "wstETH", 18, "0x7f39C581F595B53c5cb19bD0b3f8dA6c935E2Ca0"],
  [1, "rETH", 18, "0xae78736Cd615f374D3085123A210448E74Fc6393"],
  [8453, "USDC", 6, "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"],
  [8453, "USDbC", 6, "0xd9aAEc86B65D86f6A7B5B1b0c42FFA531710b6CA"],
  [8453, "DAI", 18, "0x50c5725949A6F0c72E6C4a641F24049A917DB0Cb"],
  [8453, "WETH", 18, "0x4200000000000000000000000000000000000006"],
  [8453, "cbETH", 18, "0x2Ae3F1Ec7F1F5012CFEab0185bfc7aa3cf0DEc22"],
  [42161, "USDC", 6, "0xaf88d065e77c8cC2239327C5EDb3A432268e5831"],
  [42161, "USDC.e", 6, "0xFF970A61A04b1cA14834A43f5dE4533eBDDB5CC8"],
  [42161, "USDT", 6, "0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9"],
  [42161, "DAI", 18, "0xDA10009cBd5D07dd0CeCc66161FC93D7c9000da1"],
  [42161, "WETH", 18, "0x82aF49447D8a07e3bd95BD0d56f35241523fBab1"],
  [42161, "WBTC", 8, "0x2f2a2543B76A4166549F7aaB2e75Bef0aefC5B0f"],
  [42161, "ARB", 18, "0x912CE59144191C1204E64559FE8253a0e49E6548"],
  [10, "USDC", 6, "0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85"],
  [10, "USDC.e", 6, "0x7F5c764cBc14f9669B88837ca1490cCa17c31607"],
  [10, "USDT", 6, "0x94b008aA00579c1307B0EF2c499aD98a8ce58e58"],
  [10, "DAI", 18, "0xDA10009cBd5D07dd0CeCc66161FC93D7c9000da1"],
  [10, "WETH", 18, "0x4200000000000000000000000000000000000006"],
  [10, "OP", 18, "0x4200000000000000000000000000000000000042"],
  [137, "USDC", 6, "0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359"],
  [137, "USDC.e", 6, "0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174"],
  [137, "USDT", 6, "0xc2132D05D31c914a87C6611C10748AEb04B58e8F"],
  [137, "DAI", 18, "0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063"],
  [137, "WETH", 18, "0x7ceB23fD6bC0adD59E62ac25578270cFf1b9f619"],
  [11155111, "USDC", 6, "0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238"],
  [11155111, "WETH", 18, "0xfFf9976782d46CC05630D1f6eBAb18b2324d6B14"],
  [11155111, "LINK", 18, "0x779877A7B0D9E8603169DdbD7836e478b4624789"],
];

export const TOKENS: readonly Token[] = ROWS.map(([chain, symbol, decimals, address]) => ({
  chain,
  symbol,
  decimals,
  address: getAddress(address),
}));

/** The placeholder that most routers use for the chain's own coin. */
export const NATIVE_PLACEHOLDER = "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE";

export function nativeOf(chain: number): Token {
  return {
    chain,
    symbol: chain === 137 ? "POL" : "ETH",
    decimals: 18,
    address: NATIVE_PLACEHOLDER,
    native: true,
  };
}

export function tokenOf(chain: number, symbol: string): Token {
  const found = TOKENS.find((t) => t.chain === chain && t.symbol === symbol);
  if (!found) throw new Error(`no ${symbol} on ${chain}`);
  return found;
}

export function tokensOf(chain: number): Token[] {
  return TOKENS.filter((t) => t.chain === chain);
}

/** USD prices passed to the validator in `metadata`. Round, so that sums are exact. */
export const PRICES: Record<string, number> = {
  ETH: 3200,
  WETH: 3200,
  stETH: 3200,
  wstETH: 3840,
  rETH: 3600,
  cbETH: 3520,
  USDC: 1,
  "USDC.e": 1,
  USDbC: 1,
  USDT: 1,
  DAI: 1,
  WBTC: 96000,
  LINK: 20,
  UNI: 10,
  AAVE: 250,
  COMP: 50,
  ENS: 25,
  ARB: 0.8,
  OP: 1.6,
  POL: 0.4,
};
