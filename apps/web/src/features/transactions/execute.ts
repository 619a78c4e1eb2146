// Has the owner's wallet send exactly the approved transaction: its calldata, chain and sender. The returned hash is the
// wallet's claim, not the service's confirmation.
import type { Hex, TransactionView } from "@countersign/sdk";
import { numberToHex } from "viem/utils";
import { isDeclinedByOwner } from "../../lib/errors.ts";

export type Provider = {
  readonly request: (ask: {
    readonly method: string;
    readonly params?: readonly unknown[];
  }) => Promise<unknown>;
};

type Sendable = Pick<TransactionView, "chainId"> & {
  readonly from: Hex;
  readonly tx: NonNullable<TransactionView["tx"]>;
};

async function goToChain(provider: Provider, chainId: number): Promise<void> {
  const current = async (): Promise<number> => Number(await provider.request({ method: "eth_chainId" }));
  if ((await current()) === chainId) return;
  await provider.request({
    method: "wallet_switchEthereumChain",
    params: [{ chainId: numberToHex(chainId) }],
  });
  if ((await current()) !== chainId)
    throw new Error("Your wallet is on another network. Switch it, then try again.");
}

/** Never retries: a request without an answer may have been sent. */
export async function sendExactly(
  provider: Provider,
  { from, chainId, tx }: Sendable,
  onAsk: () => void,
): Promise<Hex> {
  await goToChain(provider, chainId);
  const call = {
    from,
    to: tx.to,
    value: numberToHex(BigInt(tx.value)),
    data: tx.data,
    chainId: numberToHex(chainId),
  };
  onAsk();
  const hash = await provider.request({ method: "eth_sendTransaction", params: [call] });
  if (typeof hash !== "string" || !/^0x[0-9a-f]{64}$/i.test(hash))
    throw new Error("Your wallet didn’t return a transaction hash.");
  return hash as Hex;
}

/** Whether the owner declined or the wallet did not authorize the request, so that nothing was sent. */
export const wasRefused = (error: unknown): boolean =>
  isDeclinedByOwner(error) ||
  (typeof error === "object" && error !== null && "code" in error && error.code === 4100);
