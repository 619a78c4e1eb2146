/** Converts a bare CoW order, as in the order book's API, into the typed data that its owner would sign. */
import type { TypedData } from "../proposal.ts";
import { zeroAddress, type Json } from "./values.ts";

const settlement = "0x9008d19f58aabd9ed0d60971565aa8510560ab41";

const orderType = [
  { name: "sellToken", type: "address" },
  { name: "buyToken", type: "address" },
  { name: "receiver", type: "address" },
  { name: "sellAmount", type: "uint256" },
  { name: "buyAmount", type: "uint256" },
  { name: "validTo", type: "uint32" },
  { name: "appData", type: "bytes32" },
  { name: "feeAmount", type: "uint256" },
  { name: "kind", type: "string" },
  { name: "partiallyFillable", type: "bool" },
  { name: "sellTokenBalance", type: "string" },
  { name: "buyTokenBalance", type: "string" },
] as const;

/** The order book's own defaults. The worst case is the same for both kinds: the whole sell amount for the buy amount. */
const defaults: Json = {
  receiver: zeroAddress,
  appData: `0x${"0".repeat(64)}`,
  feeAmount: "0",
  kind: "sell",
  partiallyFillable: false,
  sellTokenBalance: "erc20",
  buyTokenBalance: "erc20",
};

const camel = (key: string): string => key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

export function isCowOrder(order: Json): boolean {
  const keys = new Set(Object.keys(order).map(camel));
  return ["sellToken", "buyToken", "sellAmount", "buyAmount"].every((key) => keys.has(key));
}

/** Keeps only the members that are signed. Quotes and bookkeeping that the order book's API adds are not. */
export function typedCowOrder(order: Json, chain: number, domain: Json | null): TypedData {
  const given = new Map(Object.entries(order).map(([key, value]) => [camel(key), value]));
  // The order book accepts the full app data as text. `appDataHash` then has its hash, which is what gets signed.
  const appData = given.get("appData");
  const hash = given.get("appDataHash");
  if (typeof appData === "string" && !appData.startsWith("0x") && hash !== undefined)
    given.set("appData", hash);
  const message = orderType
    .map(({ name }) => [name, given.get(name) ?? defaults[name]] as const)
    .filter(([, value]) => value !== undefined);
  return {
    domain: domain ?? {
      name: "Gnosis Protocol",
      version: "v2",
      chainId: BigInt(chain),
      verifyingContract: settlement,
    },
    types: { Order: orderType },
    primaryType: "Order",
    message: Object.fromEntries(message),
  };
}
