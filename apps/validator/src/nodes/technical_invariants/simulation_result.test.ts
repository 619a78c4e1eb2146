import {
  aFlow,
  anEffect,
  aReading,
  aSimulation,
  bob,
  me,
  stranger,
  testNode,
  usdc,
  usdcAsset,
} from "../../../test/nodes.ts";
import type { Asset } from "../../facts.ts";
import node from "./simulation_result.ts";

const taking = (asset: Asset, amount: bigint, holder = me) => ({
  simulation: aSimulation({ changes: [{ holder, asset, amount: -amount, isMeasured: true }] }),
});
const item = (id: bigint | null): Asset => ({ kind: "nft", address: stranger, id });
const letting = (asset: Asset, everything = false) =>
  aReading({ net: { ...aReading().net, leaves: [{ asset, most: 5n, everything }] } });

const withdrawing = aReading({
  net: { ...aReading().net, leaves: [] },
  effects: [anEffect({ act: "withdraw", gives: [], gets: [aFlow(usdcAsset, 5n)] })],
});

testNode(node, {
  pass: [
    { name: "the native token that was to leave" },
    { name: "what others lose", facts: taking(usdcAsset, 5n, bob) },
    {
      name: "a token that rounds by two units",
      facts: { ...taking(usdcAsset, 7n), reading: letting(usdcAsset) },
    },
    {
      name: "a whole balance, as the calldata says",
      facts: { ...taking(usdcAsset, 9n), reading: letting(usdcAsset, true) },
    },
    { name: "any item of a collection", facts: { ...taking(item(7n), 1n), reading: letting(item(null)) } },
  ],
  fail: [
    {
      name: "a token that leaves the sender while a Safe acts",
      facts: {
        simulation: aSimulation({
          account: stranger,
          changes: [{ holder: me, asset: usdcAsset, amount: -5n, isMeasured: true }],
        }),
        reading: letting(usdcAsset),
      },
      because: "from the sender",
    },
    {
      name: "more than was to leave the Safe that acts",
      facts: {
        simulation: aSimulation({
          account: stranger,
          changes: [{ holder: stranger, asset: usdcAsset, amount: -8n, isMeasured: true }],
        }),
        reading: letting(usdcAsset),
      },
      because: "0.000008 USDC",
    },
    {
      name: "a revert",
      facts: { simulation: aSimulation({ reverted: "no allowance" }) },
      because: "reverted with “no allowance”",
    },
    {
      name: "a token leaves that the calldata does not name",
      facts: taking(usdcAsset, 5_000_000n),
      because: "takes 5 USDC, more than the calldata allows",
    },
    {
      name: "more leaves than the calldata names",
      facts: { ...taking(usdcAsset, 8n), reading: letting(usdcAsset) },
      because: "0.000008 USDC",
    },
    {
      name: "another item than the calldata names",
      facts: { ...taking(item(8n), 1n), reading: letting(item(7n)) },
      because: "NFT 8",
    },
    {
      name: "the token that a withdrawal or a claim is to bring in",
      facts: { ...taking(usdcAsset, 5n), reading: withdrawing },
      because: "0.000005 USDC",
    },
    {
      name: "the native token, which is no claim on a venue",
      facts: { ...taking({ kind: "native" }, 5n), reading: withdrawing },
      because: "more than the calldata allows",
    },
    {
      name: "an amount that only events show",
      facts: {
        simulation: aSimulation({
          changes: [
            { holder: me, asset: { kind: "token", address: stranger }, amount: -7n, isMeasured: false },
          ],
        }),
      },
      because: "7 base units of 0x57a9…2345",
    },
  ],
  skip: [
    { name: "no chain node", missing: "state" },
    { name: "a state that is not proven", missing: "simulation" },
    {
      name: "shares that a withdrawal burns",
      facts: {
        ...taking({ kind: "token", address: stranger }, 5n),
        reading: withdrawing,
      },
      because: "may be a claim",
    },
    {
      name: "events that cannot be read",
      facts: { simulation: aSimulation({ unreadable: 1 }) },
      because: "may be incomplete",
    },
    {
      name: "an asset that the calldata does not name",
      facts: {
        ...taking({ kind: "token", address: usdc }, 5n),
        reading: letting({ kind: "unsaid", why: "a pool" }),
      },
      because: "may be a claim",
    },
  ],
});
