import {
  aFlow,
  anEffect,
  aProposal,
  aSimulation,
  bob,
  saying,
  stranger,
  testNode,
  usdcAsset,
  withEffects,
} from "../../../test/nodes.ts";
import type { SimulatedParty } from "../../facts.ts";
import node from "./recipient_usable.ts";

const party = (given: Partial<SimulatedParty> = {}): SimulatedParty => ({
  ...{ address: bob, hasCode: false, delegate: null, isUsed: true },
  ...given,
});
const among = (...parties: readonly SimulatedParty[]) => ({ simulation: aSimulation({ parties }) });
const unnamed = saying(stranger);
const { context, ...proposal } = aProposal();

testNode(node, {
  pass: [
    { name: "an account that was used", facts: { ...among(party()), ...unnamed } },
    { name: "a new address that the request has", facts: among(party({ isUsed: false })) },
    {
      name: "a new address that the caller knows",
      facts: {
        ...{ ...among(party({ isUsed: false })), ...unnamed },
        proposal: { ...proposal, context: { ...context, counterparties: [bob] } },
      },
    },
    { name: "a contract, such as a Safe", facts: { ...among(party({ hasCode: true })), ...unnamed } },
    {
      name: "a payment of a contract that was measured, and is a token as well",
      facts: {
        ...withEffects(anEffect({ knowledge: "measured", gives: [aFlow(usdcAsset, 1n)] })),
        simulation: aSimulation({ tokens: [bob] }),
      },
    },
    {
      name: "a deposit into a contract that is a token as well",
      facts: {
        ...withEffects(anEffect({ act: "supply", gives: [aFlow(usdcAsset, 1n)] })),
        simulation: aSimulation({ tokens: [bob] }),
      },
    },
  ],
  fail: [
    {
      name: "a token contract, although the request has its address",
      facts: { simulation: aSimulation({ tokens: [bob] }) },
      because: "is itself a token contract",
    },
    {
      name: "a new address that a name stands for",
      facts: { ...among(party({ isUsed: false })), ...unnamed },
      because: "was never used",
      severity: "low",
    },
  ],
  skip: [
    { name: "nothing moves", missing: "moves" },
    { name: "a state that is not proven", missing: "simulation" },
  ],
});
