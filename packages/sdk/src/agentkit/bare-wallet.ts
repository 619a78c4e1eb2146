// A wallet provider of AgentKit as the guards' core needs it. It holds the key, or asks the service that does.
import { typedDataDefinition } from "@countersign/wire";
import { readChainId } from "../eip1193/bare-wallet.ts";
import { CountersignError } from "../errors.ts";
import type { Ask } from "../fresh/simulate-fresh.ts";
import type { BareWallet } from "../guard/bare-wallet.ts";
import { explainWallet } from "../guard/wallet-errors.ts";
import type { Hex } from "../types.ts";
import type { EvmWallet, NodeClient } from "./evm-wallet.ts";

/** They send user operations and sign for a contract, which an approval of a transaction does not cover. */
const smartWallets: ReadonlySet<string> = new Set([
  "cdp_smart_wallet_provider",
  "legacy_cdp_smart_wallet_provider",
  "zerodev_wallet_provider",
]);

export function bareWalletOf(provider: EvmWallet, node: NodeClient): BareWallet {
  if (smartWallets.has(provider.getName()))
    throw new CountersignError(
      "A smart account cannot be guarded: it sends user operations. Use a provider of an account with a key of its own",
    );
  const { chainId } = provider.getNetwork();
  const ask: Ask = (method, params) => node.request({ method, params } as never);
  return {
    address: provider.getAddress() as Hex,
    chainId: chainId === undefined ? undefined : readChainId(chainId),
    readChainId: async () => readChainId(await ask("eth_chainId", [])),
    ask,
    // Fees of the caller are left out: the provider chooses them, so that an agent cannot.
    send: ({ call }) => explainWallet("send", () => provider.sendTransaction({ ...call })),
    signTypedData: (typedData) =>
      explainWallet("sign", () => provider.signTypedData(typedDataDefinition(typedData))),
  };
}
