// An EIP-1193 provider that sends only approved transactions and signs only approved typed data and messages.
import type { EIP1193Provider } from "viem";
import type { GuardOptions } from "../guard/guard-options.ts";
import { guardRequests, type Request } from "../guard/guard-requests.ts";
import type { BareProvider } from "./bare-provider.ts";
import { bareWalletOf, findAccount } from "./bare-wallet.ts";
import { explainToApps } from "./error-codes.ts";
import { guardEvents } from "./guard-events.ts";

/** A guarded EIP-1193 provider, with types that viem, wagmi and ethers accept. It has no other members than these three. */
export type GuardedProvider = Pick<EIP1193Provider, "on" | "removeListener"> & {
  /** Sends a request, if the guard allows it. */
  readonly request: EIP1193Provider["request"] &
    ((asked: { readonly method: string; readonly params?: unknown }) => Promise<unknown>);
};

/**
 * Wraps a provider so that `eth_sendTransaction`, `wallet_sendCalls`, `eth_signTypedData_v4` and `personal_sign` are proposed with the
 * user's request, and done only if exactly that is approved. A closed list of methods that only read passes, and events pass. Every other
 * method is refused, known or not. Refusals are NotApprovedErrors with an EIP-1193 code: 4001 if it was not
 * approved, 4200 if the method is never allowed.
 *
 * @example
 * const provider = guardProvider(window.ethereum, { countersign, words: "Send 0.01 ETH to 0x742d…f44e" });
 * await provider.request({ method: "eth_sendTransaction", params: [{ from, to, value: "0x2386f26fc10000" }] });
 */
export function guardProvider(provider: BareProvider, options: GuardOptions): GuardedProvider {
  // Called as a method: many wallets need their `this`.
  const bare: Request = (asked) => provider.request(asked as never);
  const request = guardRequests(
    {
      accounts: bare,
      walletOf: async (from) => bareWalletOf(bare, from ?? (await findAccount(bare))),
      read: bare,
    },
    options,
  );
  const guarded = {
    request: (asked: Parameters<Request>[0]) => explainToApps(asked.method, request(asked)),
  };
  return Object.freeze(Object.assign(guarded, guardEvents(provider, guarded))) as GuardedProvider;
}
