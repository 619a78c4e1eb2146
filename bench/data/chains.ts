// Chain ids and the names people use for them. Source: EIP-155 ids as listed
// by the chains themselves in their documentation.
export const CHAINS: Record<number, { names: readonly string[]; native: string }> = {
  1: { names: ["Ethereum", "mainnet", "Ethereum mainnet"], native: "ETH" },
  10: { names: ["Optimism", "OP Mainnet"], native: "ETH" },
  137: { names: ["Polygon"], native: "POL" },
  8453: { names: ["Base"], native: "ETH" },
  42161: { names: ["Arbitrum", "Arbitrum One"], native: "ETH" },
  11155111: { names: ["Sepolia"], native: "ETH" },
};

export const ALL_CHAINS: readonly number[] = [1, 10, 137, 8453, 42161, 11155111];
export const MAIN_CHAINS: readonly number[] = [1, 10, 137, 8453, 42161];
