// Wallets that are in this browser, as they announce themselves (EIP-6963). Nothing is asked of a node of ours: what has to be
// known of a chain is asked through the wallet.
import { arbitrum, avalanche, base, bsc, mainnet, optimism, polygon, sepolia } from "viem/chains";
import type { Hex } from "@countersign/sdk";
import { createConfig, injected, unstable_connector, type Connector } from "wagmi";
import { getWalletClient, reconnect } from "wagmi/actions";

const chains = [sepolia, mainnet, base, optimism, arbitrum, polygon, bsc, avalanche] as const;

export const wagmiConfig = createConfig({
  chains,
  connectors: [],
  multiInjectedProviderDiscovery: true,
  // Which wallets have let this page in is for them to say: nothing is kept of it here.
  storage: null,
  transports: Object.fromEntries(chains.map(({ id }) => [id, unstable_connector(injected)])) as Record<
    (typeof chains)[number]["id"],
    ReturnType<typeof unstable_connector>
  >,
});

/** What signs with an open wallet. */
export const signerOf = (connector: Connector, account?: Hex) =>
  getWalletClient(wagmiConfig, { connector, ...(account === undefined ? {} : { account }) });

/** A wallet that does not answer is not waited for any longer than this: it can still be opened by hand. */
const patienceMs = 3000;

/** Those that have let this page in before and are open. */
export async function reopenWallets(): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(resolve, patienceMs);
  await Promise.race([reconnect(wagmiConfig).catch(() => undefined), late]);
  clearTimeout(timer);
}
