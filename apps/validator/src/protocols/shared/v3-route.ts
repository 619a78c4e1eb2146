/**
 * A route of V3 pools as one packed argument. Tokens and fees determine the pools, so a fee only selects among real
 * pools.
 */
import { packed } from "../../bytes/openings.ts";
import type { Address, Hex } from "../../proposal.ts";
import type { CallView } from "../../protocol.ts";
import { feedsAll, inert } from "../../uses.ts";

const tokenUse = feedsAll("asset", "path");

export const packedRoute = packed("address token, then uint24 fee and address token for each pool", {
  head: [{ name: "token", bytes: 20, use: tokenUse }],
  repeat: [
    { name: "fee", bytes: 3, use: inert.bounded },
    { name: "token", bytes: 20, use: tokenUse },
  ],
});

/** The tokens along the route, in the order in which they are written. */
export const openRoute = (path: Hex, at: string, call: CallView): readonly Address[] => {
  const { head, items } = call.open(packedRoute, path, at);
  return [head, ...items].map(({ token = "0x" }) => token);
};
