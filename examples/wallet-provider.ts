// A wallet with an EIP-1193 provider, as an extension puts it on a page as `window.ethereum`. It asks no one: it signs and
// sends whatever it is asked to.
import { createWalletClient, http, type EIP1193Provider, type Hex } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import { sepolia } from "viem/chains";

type Asked = { readonly method: string; readonly params?: readonly unknown[] };
type Sent = { readonly to: Hex; readonly value?: Hex; readonly data?: Hex };

export function makeProvider(account: PrivateKeyAccount, rpcUrl: string): EIP1193Provider {
  const wallet = createWalletClient({ account, chain: sepolia, transport: http(rpcUrl) });
  const request = async ({ method, params = [] }: Asked): Promise<unknown> => {
    const [first, second] = params;
    if (method === "eth_accounts" || method === "eth_requestAccounts") return [account.address];
    if (method === "personal_sign") return account.signMessage({ message: { raw: first as Hex } });
    if (method === "eth_signTypedData_v4") return account.signTypedData(JSON.parse(String(second)) as never);
    if (method !== "eth_sendTransaction") return wallet.request({ method, params } as never);
    const { to, value = "0x0", data = "0x" } = first as Sent;
    return wallet.sendTransaction({ to, value: BigInt(value), data });
  };
  return { request, on: () => undefined, removeListener: () => undefined } as unknown as EIP1193Provider;
}
