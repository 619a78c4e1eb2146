// Wallets in this browser (EIP-6963). Chain data is read through the wallet, never through our own node.
import type { Hex } from "@countersign/sdk";
import { defineChain } from "viem";
import { arbitrum, avalanche, bsc, mainnet, polygon, sepolia } from "viem/chains";
import { createConfig, injected, unstable_connector, type Connector } from "wagmi";
import { getWalletClient, reconnect } from "wagmi/actions";

// viem's own definitions of these two bring encoders for transactions of rollups, which only wallets need.
const ether = { name: "Ether", symbol: "ETH", decimals: 18 };
const base = defineChain({
  ...{ id: 8453, name: "Base", nativeCurrency: ether },
  rpcUrls: { default: { http: ["https://mainnet.base.org"] } },
  blockExplorers: { default: { name: "Basescan", url: "https://basescan.org" } },
});
const optimism = defineChain({
  ...{ id: 10, name: "OP Mainnet", nativeCurrency: ether },
  rpcUrls: { default: { http: ["https://mainnet.optimism.io"] } },
  blockExplorers: { default: { name: "Optimism Explorer", url: "https://optimistic.etherscan.io" } },
});

const chains = [sepolia, mainnet, base, optimism, arbitrum, polygon, bsc, avalanche] as const;

export const wagmiConfig = createConfig({
  chains,
  connectors: [],
  multiInjectedProviderDiscovery: true,
  // Wallets remember their own permissions, so nothing is stored here.
  storage: null,
  transports: Object.fromEntries(chains.map(({ id }) => [id, unstable_connector(injected)])) as Record<
    (typeof chains)[number]["id"],
    ReturnType<typeof unstable_connector>
  >,
});

/** Returns a client that signs with a connected wallet. */
export const signerOf = (connector: Connector, account?: Hex) =>
  getWalletClient(wagmiConfig, { connector, ...(account === undefined ? {} : { account }) });

/** Stops waiting for an unresponsive wallet: the owner can still connect it manually. */
const reconnectTimeoutMs = 3000;

/** Reconnects wallets that authorized this page before. */
export async function reopenWallets(): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(resolve, reconnectTimeoutMs);
  await Promise.race([reconnect(wagmiConfig).catch(() => undefined), late]);
  clearTimeout(timer);
}
