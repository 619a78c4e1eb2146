// Chain names and explorers. A separate table, so that read-only pages do not load wallet code.
const known = new Map<number, { readonly name: string; readonly explorer: string }>([
  [1, { name: "Ethereum", explorer: "https://etherscan.io" }],
  [10, { name: "OP Mainnet", explorer: "https://optimistic.etherscan.io" }],
  [56, { name: "BNB Smart Chain", explorer: "https://bscscan.com" }],
  [137, { name: "Polygon", explorer: "https://polygonscan.com" }],
  [8453, { name: "Base", explorer: "https://basescan.org" }],
  [42_161, { name: "Arbitrum One", explorer: "https://arbiscan.io" }],
  [43_114, { name: "Avalanche", explorer: "https://snowtrace.io" }],
  [11_155_111, { name: "Sepolia", explorer: "https://sepolia.etherscan.io" }],
]);

export const chainName = (chainId: number): string => known.get(chainId)?.name ?? `chain ${chainId}`;

/** Returns undefined if no explorer is known. */
export const explorerOf = (chainId: number): string | undefined => known.get(chainId)?.explorer;

const otherCoins: Readonly<Record<number, string>> = {
  56: "BNB",
  97: "BNB",
  100: "xDAI",
  137: "POL",
  43_114: "AVAX",
  80_002: "POL",
};
const etherChains = new Set([
  1, 10, 130, 324, 8453, 42_161, 59_144, 81_457, 534_352, 84_532, 11_155_111, 421_614, 11_155_420,
]);

/** Returns the symbol of the chain's native token. */
export const coinOf = (chainId: number): string =>
  otherCoins[chainId] ?? (etherChains.has(chainId) ? "ETH" : "of the network’s native token");
