// A wallet provider of AgentKit that sends only approved transactions and signs only approved typed data.
import { CountersignError } from "../errors.ts";
import type { GuardOptions } from "../guard/guard-options.ts";
import { readSend } from "../guard/read-send.ts";
import { readTypedData } from "../guard/read-typed-data.ts";
import { refuseMethod } from "../guard/refuse-method.ts";
import { sendApproved } from "../guard/send-approved.ts";
import { signTypedDataApproved } from "../guard/sign-approved.ts";
import type { Hex } from "../types.ts";
import { bareWalletOf } from "./bare-wallet.ts";
import type { EvmWallet } from "./evm-wallet.ts";
import { guardNode } from "./guard-node.ts";
import { writeRequest } from "../guard/write-request.ts";

/**
 * Wraps a wallet provider of AgentKit so that `sendTransaction`, `nativeTransfer` and `signTypedData` are proposed with the
 * user's request, and done only if exactly that is approved. It signs nothing else, and its public client only reads. Pass AgentKit's
 * own `EvmWalletProvider` first: the result is an instance of it, so that every action provider accepts it. Use
 * `findNotApproved` to detect its refusals.
 *
 * @example
 * const walletProvider = guardWalletProvider(EvmWalletProvider, new ViemWalletProvider(client), { countersign, words });
 * const agentkit = await AgentKit.from({ walletProvider, actionProviders: [walletActionProvider()] });
 * @throws CountersignError for a smart account, and for a provider of another copy of AgentKit.
 */
export function guardWalletProvider<P extends EvmWallet>(
  base: abstract new () => P,
  provider: NoInfer<P>,
  options: GuardOptions,
): P {
  if (!(provider instanceof base))
    throw new CountersignError("The wallet provider is not an EvmWalletProvider of this copy of AgentKit");
  // The base class has no state. Its constructor would report one more wallet to AgentKit's analytics.
  const guarded = Object.create(base.prototype as object) as P;
  return Object.freeze(Object.assign(guarded, membersOf(provider, options)));
}

/** A closed list: what a later version of AgentKit adds is missing until it is added here. */
function membersOf(provider: EvmWallet, options: GuardOptions): object {
  const node = provider.getPublicClient();
  const wallet = bareWalletOf(provider, node);
  const { address } = wallet;
  const shown = guardNode(node);
  const sendTransaction = (transaction: object): Promise<Hex> =>
    sendApproved(wallet, readSend([writeRequest(transaction)], address), options);
  return {
    sendTransaction: async (transaction: object) => sendTransaction(transaction),
    nativeTransfer: async (to: string, value: string) => {
      const hash = await sendTransaction({ to, value: BigInt(value) });
      await provider.waitForTransactionReceipt(hash);
      return hash;
    },
    signTypedData: async (asked: unknown) =>
      signTypedDataApproved(wallet, readTypedData([address, asked], address).typedData, options),
    sign: async () => refuseMethod("sign", "use signTypedData"),
    signMessage: async () =>
      refuseMethod("signMessage", "use signTypedData, or ask the owner to sign in their wallet"),
    signTransaction: async () => refuseMethod("signTransaction", "use sendTransaction"),
    getAddress: () => address,
    getName: () => provider.getName(),
    getNetwork: () => ({ ...provider.getNetwork() }),
    getBalance: () => provider.getBalance(),
    getPublicClient: () => shown,
    readContract: (params: never) => provider.readContract(params),
    waitForTransactionReceipt: (hash: Hex) => provider.waitForTransactionReceipt(hash),
  };
}
