import { aFlow, anEffect, aReading, calm, testNode, usdc, usdcAsset } from "../../../test/nodes.ts";
import node from "./funds_sufficient.ts";

const failing = { ...calm.funds, isEnough: false };
const sending = (least: bigint, most = least) =>
  aReading({ effects: [anEffect({ gives: [aFlow(usdcAsset, { least, most })] })] });

testNode(node, {
  pass: [
    { name: "a tenth of what is held" },
    { name: "all of a token", facts: { reading: sending(3_000_000_000n) } },
    { name: "a limit above what is held", facts: { reading: sending(1n, 4_000_000_000n), funds: failing } },
    { name: "a token that the call receives first", facts: { reading: sending(4_000_000_000n) } },
    {
      name: "ether that an earlier one of several calls brings in",
      facts: { funds: { ...calm.funds, value: 3n * 10n ** 18n } },
    },
  ],
  fail: [
    {
      name: "more ether than is held",
      facts: { funds: { ...failing, value: 950n * 10n ** 18n } },
      because: "holds 1 ETH. The transaction sends 950 ETH",
    },
    {
      name: "nothing left for gas",
      facts: { funds: { ...failing, native: 10n ** 17n } },
      because: "may use 0.001 ETH for gas",
    },
    {
      name: "more of a token than is held",
      facts: { reading: sending(3_000_000_001n), funds: failing },
      because: "holds 3000 USDC. The transaction sends 3000.000001 USDC",
    },
    {
      name: "a token that is not held at all",
      facts: { funds: { ...failing, tokens: new Map([[usdc, 0n]]) }, reading: sending(5n) },
      because: "holds 0 USDC",
    },
  ],
  skip: [
    { name: "no state", missing: "state" },
    { name: "a state that is not proven", missing: "funds" },
  ],
});
