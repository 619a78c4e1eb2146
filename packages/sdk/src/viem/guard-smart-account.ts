// A viem smart account that signs only approved user operations (ERC-4337).
import { createClient, custom } from "viem";
import type { SmartAccount, SmartAccountImplementation } from "viem/account-abstraction";
import { guardReads } from "../guard/guard-requests.ts";
import { refuseMethod } from "../guard/refuse-method.ts";
import { signUserOperationApproved } from "./sign-user-operation.ts";
import type { SmartAccountOptions } from "./smart-account-options.ts";

export type { SmartAccountOptions } from "./smart-account-options.ts";

/** The account without its key: members of its own, such as its owner, are left out. */
export type GuardedSmartAccount<Account extends SmartAccount = SmartAccount> = SmartAccount<
  SmartAccountImplementation<Account["entryPoint"]["abi"], Account["entryPoint"]["version"], object, false>
>;

const instead = "sign a user operation, or ask the owner to sign in their wallet";

/**
 * Wraps a smart account of EntryPoint 0.7 or 0.8 so that it proposes each user operation with the user's request, and signs only one that is approved
 * exactly, once. It signs nothing else. Pass it to `createBundlerClient`, and use `findNotApproved` to detect its refusals.
 *
 * An operation that also deploys the account's code by EIP-7702 is refused: sign the authorization with `guard` first.
 *
 * @example
 * const account = guardSmartAccount(bare, { countersign, words: "Send 0.01 ETH to 0x742d…f44e" });
 * await bundlerClient.sendUserOperation({ account, calls: [{ to, value: parseEther("0.01") }] });
 */
export function guardSmartAccount<Account extends SmartAccount>(
  account: Account,
  options: SmartAccountOptions,
): GuardedSmartAccount<Account> {
  const inner: SmartAccount = account;
  const { decodeCalls, userOperation } = inner;
  return {
    type: "smart",
    address: inner.address,
    entryPoint: inner.entryPoint,
    client: guardClient(inner),
    ...(userOperation === undefined ? {} : { userOperation }),
    ...(decodeCalls === undefined ? {} : { decodeCalls: (data) => decodeCalls.call(inner, data) }),
    encodeCalls: (calls) => inner.encodeCalls(calls),
    getAddress: () => inner.getAddress(),
    getFactoryArgs: () => inner.getFactoryArgs(),
    getNonce: (parameters) => inner.getNonce(parameters),
    getStubSignature: (parameters) => inner.getStubSignature(parameters),
    isDeployed: () => inner.isDeployed(),
    sign: async () => refuseMethod("sign", instead),
    signMessage: async () => refuseMethod("signMessage", instead),
    signTypedData: async () => refuseMethod("signTypedData", instead),
    signUserOperation: (asked) => signUserOperationApproved(inner, asked, options),
  };
}

/** The account's own client may hold its owner's key. */
const guardClient = ({ client }: SmartAccount): SmartAccount["client"] => {
  const request = guardReads({
    accounts: async () => [],
    read: (asked) => client.request(asked as never),
  });
  const { chain, pollingInterval, cacheTime } = client;
  return createClient({
    ...{ chain, pollingInterval, cacheTime },
    transport: custom({ request }, { retryCount: 0 }),
  });
};
