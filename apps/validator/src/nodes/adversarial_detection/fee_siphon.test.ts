import {
  aFlow,
  aStep,
  aSwap,
  anEffect,
  anIntent,
  stranger,
  testNode,
  usdcAsset,
  wethAsset,
} from "../../../test/nodes.ts";
import node from "./fee_siphon.ts";

testNode(node, {
  pass: [
    { name: "no fee", facts: { moves: [aSwap()] } },
    {
      name: "a quarter of a percent",
      facts: {
        moves: [
          aSwap({
            fees: [
              {
                to: stranger,
                asset: wethAsset,
                share: { bps: 25n },
                where: { call: "proposed_tx", field: "data" },
              },
            ],
          }),
        ],
      },
    },
    {
      name: "the two percent that the request allows",
      facts: {
        moves: [
          aSwap({
            fees: [
              {
                to: stranger,
                asset: wethAsset,
                share: { bps: 200n },
                where: { call: "proposed_tx", field: "data" },
              },
            ],
          }),
        ],
        intent: anIntent({ steps: [aStep({ fee: { bps: 200n, to: null, span: [0, 4] } })] }),
      },
    },
    {
      name: "a bridge that keeps little",
      facts: {
        moves: [
          anEffect({ act: "bridge", gives: [aFlow(usdcAsset, 1000n)], gets: [aFlow(usdcAsset, 990n)] }),
        ],
      },
    },
  ],
  fail: [
    {
      name: "30 % on the way",
      facts: {
        moves: [
          aSwap({
            fees: [
              {
                to: stranger,
                asset: wethAsset,
                share: { bps: 3000n },
                where: { call: "proposed_tx", field: "data" },
              },
            ],
          }),
        ],
      },
      because: "takes 30 %",
    },
    {
      name: "an eleventh of the whole, as an amount",
      facts: {
        moves: [
          aSwap({
            fees: [
              {
                to: stranger,
                asset: wethAsset,
                share: { least: 10n ** 17n, most: 10n ** 17n },
                where: { call: "proposed_tx", field: "data" },
              },
            ],
          }),
        ],
      },
      because: "takes 9.09 %",
    },
    {
      name: "a payment in another asset",
      facts: {
        moves: [
          aSwap({
            fees: [
              {
                to: stranger,
                asset: { kind: "native" },
                share: { least: 5n, most: 5n },
                where: { call: "proposed_tx", field: "data" },
              },
            ],
          }),
        ],
      },
      because: "an amount in another asset",
    },
    {
      name: "a bridge that keeps a third",
      facts: {
        moves: [
          anEffect({ act: "bridge", gives: [aFlow(usdcAsset, 1000n)], gets: [aFlow(usdcAsset, 660n)] }),
        ],
      },
      because: "keeps 34 %",
    },
  ],
  skip: [{ name: "nothing moves", missing: "moves" }],
});
