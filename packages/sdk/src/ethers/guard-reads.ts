// The provider that a guarded signer shows. A JSON-RPC provider reaches accounts of its node or wallet, so it is guarded.
import { BrowserProvider, type Provider } from "ethers";
import { guardProvider } from "../eip1193/guard-provider.ts";
import type { GuardOptions } from "../guard/guard-options.ts";
import type { Request } from "../guard/guard-requests.ts";

type JsonRpc = Provider & {
  readonly send: (method: string, params: readonly unknown[]) => Promise<unknown>;
  readonly pollingInterval?: number;
};

/** Compares by member, because an application can have several copies of ethers. */
export const isJsonRpc = (provider: Provider): provider is JsonRpc =>
  "send" in provider && typeof provider.send === "function";

export const requestOf =
  (provider: JsonRpc): Request =>
  ({ method, params }) =>
    provider.send(method, Array.isArray(params) ? params : []);

export function guardReads(provider: Provider, options: GuardOptions): Provider {
  // The others hold no accounts.
  if (!isJsonRpc(provider)) return provider;
  const guarded = guardProvider({ request: requestOf(provider) }, options);
  const shown = new BrowserProvider(guarded);
  if (provider.pollingInterval !== undefined) shown.pollingInterval = provider.pollingInterval;
  return shown;
}
