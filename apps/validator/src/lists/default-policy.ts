/** The limits that apply where the operator sets none. */
import type { Policy } from "../facts.ts";

export const defaultPolicy: Policy = {
  allowedChains: null,
  allowedAssets: null,
  deniedAssets: new Set(),
  maxUsdPerTransaction: null,
  maxUnitsPerTransaction: new Map(),
  jurisdictions: [],
  maxFeeBps: 100n,
  maxBridgeFeeBps: 500n,
  maxSlippageBps: 500n,
  maxSwapSeconds: 86_400n,
  maxOrderSeconds: 30n * 86_400n,
};
