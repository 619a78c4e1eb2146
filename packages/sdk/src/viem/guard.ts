// A viem wallet that sends only approved transactions and signs only approved typed data, messages and authorizations.
// It wraps `request`, which all actions but signAuthorization go through, so that unknown methods are rejected.
import {
  createWalletClient,
  custom,
  type Account,
  type Chain,
  type JsonRpcAccount,
  type Transport,
  type WalletClient,
} from "viem";
import { CountersignError } from "../errors.ts";
import type { GuardOptions } from "../guard/guard-options.ts";
import { guardRequests } from "../guard/guard-requests.ts";
import { bareWalletOf } from "./bare-wallet.ts";
import { guardAuthorizations } from "./sign-authorization.ts";
import type { AnyWallet } from "./send-exactly.ts";
import { accountOf } from "./signer.ts";

/**
 * Wraps a wallet so that it proposes each transaction, each batch of calls, each EIP-712 signature, each message and each EIP-7702 authorization with
 * the user's request. It sends or signs only what is approved exactly, and lets a signature out once. It signs nothing else, because a signature can
 * move money too. Use `findNotApproved` to detect its refusals.
 *
 * @example
 * const wallet = guard(bare, { countersign, words: "Send 0.01 ETH to 0x742d…f44e" });
 * await wallet.sendTransaction({ to, value: parseEther("0.01") });
 * @throws CountersignError for a smart account.
 */
export function guard<C extends Chain | undefined>(
  wallet: WalletClient<Transport, C, Account>,
  options: GuardOptions,
): WalletClient<Transport, C, JsonRpcAccount> {
  const inner = wallet as unknown as AnyWallet;
  const { address, type } = accountOf(inner);
  if (type === "smart")
    throw new CountersignError(
      "A smart account does not send through the wallet client: guard it with guardSmartAccount",
    );
  const request = guardRequests(
    {
      address,
      accounts: async () => [address],
      walletOf: () => bareWalletOf(inner),
      read: (asked) => inner.request(asked as never),
    },
    options,
  );
  const { chain, pollingInterval, cacheTime } = wallet;
  const guarded = createWalletClient({
    ...{ account: address, chain, pollingInterval, cacheTime },
    // A refused transaction must not be proposed again.
    transport: custom({ request }, { retryCount: 0 }),
  });
  const signAuthorization = guardAuthorizations(inner, options);
  return guarded.extend(() => ({ signAuthorization }));
}
