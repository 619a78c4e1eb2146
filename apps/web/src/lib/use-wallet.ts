// Finds the wallet for an address, so that a wrong account is reported before the wallet is prompted.
import type { Hex } from "@countersign/sdk";
import { useConnection, useConnections, type Connector } from "wagmi";

export type WalletFor =
  | { readonly state: "none" }
  | { readonly state: "other"; readonly address: Hex }
  | { readonly state: "ready"; readonly address: Hex; readonly connector: Connector };

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

export function useWalletFor(needed: string): WalletFor {
  const connections = useConnections();
  const { address: current } = useConnection();
  for (const { accounts, connector } of connections) {
    const address = accounts.find((one) => isSame(one, needed));
    if (address !== undefined) return { state: "ready", address, connector };
  }
  return current === undefined ? { state: "none" } : { state: "other", address: current };
}
