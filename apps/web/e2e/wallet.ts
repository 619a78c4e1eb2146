// An EIP-6963 test wallet that really signs. The key stays outside the page.
import type { BrowserContext } from "playwright-core";
import { createWalletClient, http, numberToHex, type Hex, type PrivateKeyAccount } from "viem";
import { sepolia } from "viem/chains";

type Ask = { readonly method: string; readonly params?: readonly unknown[] };

export type TestWallet = {
  /** Requests, in order. */
  readonly asked: readonly Ask[];
  /** Declines all requests while true. */
  refuse: boolean;
  /** Runs when the wallet is asked to sign, before it does. */
  beforeSigning?: (() => void) | undefined;
};

type Options = { readonly account: PrivateKeyAccount; readonly rpcUrl: string; readonly name?: string };

/** Another wallet's error for a declined request. */
const refusal = { code: 4001, message: "User rejected the request." };
const needsPerson = ["eth_requestAccounts", "personal_sign", "eth_signTypedData_v4", "eth_sendTransaction"];

const answerers = ({
  account,
  rpcUrl,
}: Options): Readonly<Record<string, (params: readonly unknown[]) => unknown>> => {
  const client = createWalletClient({ account, chain: sepolia, transport: http(rpcUrl) });
  return {
    eth_requestAccounts: () => [account.address],
    eth_accounts: () => [account.address],
    eth_chainId: () => numberToHex(sepolia.id),
    wallet_switchEthereumChain: () => null,
    personal_sign: ([message]) => account.signMessage({ message: { raw: message as Hex } }),
    eth_signTypedData_v4: ([, data]) => account.signTypedData(JSON.parse(data as string) as never),
    eth_sendTransaction: ([given]) => {
      const { to, value, data } = given as { to: Hex; value?: Hex; data?: Hex };
      return client.sendTransaction({
        to,
        value: BigInt(value ?? "0x0"),
        ...(data === undefined ? {} : { data }),
      });
    },
  };
};

const askNode = async (rpcUrl: string, { method, params = [] }: Ask): Promise<unknown> => {
  const answer = await fetch(rpcUrl, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  const { result, error } = (await answer.json()) as { result?: unknown; error?: { message: string } };
  if (error !== undefined) throw new Error(error.message);
  return result;
};

/** The injected provider. Runs in the browser. */
function announce(name: string): void {
  type Outcome = {
    readonly result?: unknown;
    readonly error?: { readonly code: number; readonly message: string };
  };
  const ask = (globalThis as unknown as { __askWallet: (ask: unknown) => Promise<Outcome> }).__askWallet;
  const provider = {
    request: async (given: unknown): Promise<unknown> => {
      const { result, error } = await ask(given);
      if (error !== undefined) throw Object.assign(new Error(error.message), { code: error.code });
      return result;
    },
    on: () => provider,
    removeListener: () => provider,
  };
  const icon =
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'%3E%3Crect width='8' height='8' fill='%23777'/%3E%3C/svg%3E";
  const info = { uuid: "5c9fbcb6-6b1f-4b2c-9d52-0b8f4ad2c001", name, icon, rdns: "example.test-wallet" };
  const say = (): void => {
    window.dispatchEvent(
      new CustomEvent("eip6963:announceProvider", { detail: Object.freeze({ info, provider }) }),
    );
  };
  window.addEventListener("eip6963:requestProvider", say);
  say();
}

export async function installWallet(context: BrowserContext, options: Options): Promise<TestWallet> {
  const asked: Ask[] = [];
  const wallet: TestWallet = { asked, refuse: false };
  const answer = answerers(options);
  await context.exposeBinding("__askWallet", async (_source, ask: Ask) => {
    asked.push(ask);
    if (ask.method === "personal_sign") wallet.beforeSigning?.();
    if (wallet.refuse && needsPerson.includes(ask.method)) return { error: refusal };
    try {
      const own = answer[ask.method];
      return { result: await (own === undefined ? askNode(options.rpcUrl, ask) : own(ask.params ?? [])) };
    } catch (error) {
      return { error: { code: -32_603, message: error instanceof Error ? error.message : "It failed." } };
    }
  });
  await context.addInitScript(announce, options.name ?? "Test Wallet");
  return wallet;
}
