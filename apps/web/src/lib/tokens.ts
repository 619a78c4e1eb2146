// The best-known tokens, for pages without a report.
export type Token = { readonly symbol: string; readonly decimals: number };

const usdc: Token = { symbol: "USDC", decimals: 6 };
const usdt: Token = { symbol: "USDT", decimals: 6 };

/** Tokens by chain and address, from their issuers' lists. Others have no symbol here, so none is shown. */
const tokens = new Map<string, Token>([
  ["1:0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48", usdc],
  ["1:0xdac17f958d2ee523a2206206994597c13d831ec7", usdt],
  ["1:0x6b175474e89094c44da98b954eedeac495271d0f", { symbol: "DAI", decimals: 18 }],
  ["1:0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2", { symbol: "WETH", decimals: 18 }],
  ["10:0x0b2c639c533813f4aa9d7837caf62653d097ff85", usdc],
  ["137:0x3c499c542cef5e3811e1192ce70d8cc03d5c3359", usdc],
  ["8453:0x833589fcd6edb6e08f4c7c32d4f71b54bda02913", usdc],
  ["42161:0xaf88d065e77c8cc2239327c5edb3a432268e5831", usdc],
  ["43114:0xb97ef9ef8734c71904d8002f8b6bc66dd9c48a6e", usdc],
  ["11155111:0x1c7d4b196cb0c7b01d743fbc6116a902379c7238", usdc],
]);

/** Returns undefined for tokens that are not in the table. */
export const tokenAt = (chainId: number, address: string): Token | undefined =>
  tokens.get(`${chainId}:${address.toLowerCase()}`);

export type KnownAsset = { readonly asset: string; readonly decimals: number };

const coins = [
  [1, 60],
  [8453, 60],
  [10, 60],
  [42_161, 60],
  [137, 966],
  [56, 714],
  [43_114, 9000],
  [11_155_111, 60],
] as const;

/** Assets that an owner can choose from, as CAIP-19 ids: tokens, then coins. */
export const knownAssets: readonly KnownAsset[] = [
  ...[...tokens].map(([key, { decimals }]) => {
    const [chainId = "", address = ""] = key.split(":");
    return { asset: `eip155:${chainId}/erc20:${address}`, decimals };
  }),
  ...coins.map(([chainId, coin]) => ({ asset: `eip155:${chainId}/slip44:${coin}`, decimals: 18 })),
];
