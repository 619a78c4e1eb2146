// Prepares the chain for the stories: allowances, a supply and a debt on Aave, and the test doubles of Across and Merkl.
import { addresses as at } from "@countersign/tools/world";
import type { Hex } from "@countersign/wire";
import { approve, wrap } from "./calls.ts";
import type { Chain } from "./chain.ts";
import { openCrossings } from "./crossings.ts";
import { borrow, supply } from "./lending.ts";

type Parties = { readonly me: Hex; readonly friend: Hex; readonly safe: () => Hex };

export async function prepareStories(chain: Chain, parties: Parties): Promise<void> {
  const { me, friend, safe } = parties;
  // One signature is enough, so that a story has no other owner to ask.
  await chain.setSlot(safe(), 4n, 1n);
  for (const router of [at.v2Router, at.v3Router])
    for (const symbol of ["USDC", "DAI", "WETH"] as const)
      for (const account of [me, friend]) await chain.send(account, approve(symbol, "1000000000", router));
  await chain.send(me, wrap("80"));
  for (const symbol of ["USDC", "WETH"] as const)
    await chain.send(me, approve(symbol, "1000000000", at.aavePool));
  await chain.send(me, supply(me, { symbol: "WETH", amount: "20" }));
  await chain.send(me, borrow(me, { symbol: "WETH", amount: "2" }));
  await openCrossings(chain, parties);
}
