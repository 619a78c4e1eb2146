import {
  aFlow,
  anEffect,
  aReading,
  aSimulation,
  aSwap,
  bob,
  me,
  testNode,
  usdc,
  usdcAsset,
  wethAsset,
} from "../../../test/nodes.ts";
import type { Asset, Simulation } from "../../facts.ts";
import node from "./simulated_arrival.ts";

const arriving = (holder: typeof me, asset: Asset, amount: bigint, isMeasured = true): Simulation =>
  aSimulation({ changes: [{ holder, asset, amount, isMeasured }], tokens: [usdc] });
const paying = (amount: bigint) => aReading({ effects: [anEffect({ gives: [aFlow(usdcAsset, amount)] })] });
const swapping = aReading({
  effects: [aSwap()],
  net: { ...aReading().net, arrives: [{ asset: wethAsset, least: 10n ** 18n }] },
});

testNode(node, {
  pass: [
    {
      name: "a payment that arrives whole",
      facts: { simulation: arriving(bob, usdcAsset, 1_000_000n), reading: paying(1_000_000n) },
    },
    {
      name: "a token that rounds by two units",
      facts: { simulation: arriving(bob, usdcAsset, 98n), reading: paying(100n) },
    },
    {
      name: "more than the minimum of a swap",
      facts: { simulation: arriving(me, wethAsset, 2n * 10n ** 18n), reading: swapping },
    },
  ],
  fail: [
    {
      name: "a token that keeps a fee",
      facts: { simulation: arriving(bob, usdcAsset, 990_000n), reading: paying(1_000_000n) },
      because: "0.99 USDC arrives at 0xb0b0…0b0b; the calldata states 1 USDC",
    },
    {
      name: "nothing arrives although the balance is measured",
      facts: { simulation: aSimulation({ changes: [], tokens: [usdc] }), reading: paying(1_000_000n) },
      because: "0 USDC arrives",
    },
    {
      name: "less than the minimum of a swap",
      facts: { simulation: arriving(me, wethAsset, 9n * 10n ** 17n), reading: swapping },
      because: "0.9 WETH arrives at the account; the calldata states 1 WETH",
    },
    {
      name: "two payments to one recipient, one of which arrives",
      facts: {
        simulation: arriving(bob, usdcAsset, 1_000_000n),
        reading: aReading({ effects: [...paying(1_000_000n).effects, ...paying(1_000_000n).effects] }),
      },
      because: "the calldata states 2 USDC",
    },
  ],
  skip: [
    { name: "a payment of the native token", because: "states no amount" },
    { name: "no chain node", missing: "state" },
    { name: "a state that is not proven", missing: "simulation" },
    { name: "a revert", facts: { simulation: aSimulation({ reverted: "no" }) }, because: "nothing arrives" },
    {
      name: "nothing is to arrive",
      facts: { reading: aReading({ effects: [] }) },
      because: "states no amount",
    },
    {
      name: "a payment that arrives on another chain, in a token with an address of this one",
      facts: {
        simulation: aSimulation({ changes: [], tokens: [usdc] }),
        reading: aReading({
          effects: [
            anEffect({
              ...{ act: "bridge", toChain: 8453 },
              gives: [],
              gets: [aFlow(usdcAsset, 1_000_000n)],
            }),
          ],
          net: { ...aReading().net, arrives: [{ asset: usdcAsset, least: 1_000_000n, toChain: 8453 }] },
        }),
      },
      because: "states no amount",
    },
    {
      name: "an amount that only events show",
      facts: { simulation: arriving(bob, usdcAsset, 1_000_000n, false), reading: paying(1_000_000n) },
      because: "does not show everything",
    },
  ],
});
