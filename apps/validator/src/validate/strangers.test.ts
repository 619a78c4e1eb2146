import { expect, test } from "vitest";
import {
  aLeaf,
  anApproval,
  aProposal,
  aReading,
  aSimulation,
  bob,
  calm,
  me,
  router,
  stranger,
  usdc,
} from "../../test/nodes.ts";
import type { Facts, Reading, Simulation } from "../facts.ts";
import type { Address } from "../proposal.ts";
import { findStrangers } from "./strangers.ts";

const code: Address = `0x${"c0".repeat(20)}`;
const find = (reading: Partial<Reading>, simulation?: Partial<Simulation>) =>
  findStrangers(aReading({ leaves: [], effects: [], ...reading }), {
    ...{ proposal: aProposal(), registry: calm.registry, contracts: calm.contracts },
    simulation: simulation === undefined ? undefined : aSimulation(simulation),
  });
const calling = (to: Address): Partial<Reading> => ({ leaves: [aLeaf({ to, data: "0xdeadbeef" })] });
const party = (given: object): Facts["simulation"]["parties"][number] => ({
  ...{ address: stranger, hasCode: false, delegate: null, isUsed: true },
  ...given,
});

test("a called contract and a spender that no table has are strangers", () => {
  expect(find({ ...calling(stranger), effects: [anApproval(bob, 5n)] })).toMatchObject([
    { address: stranger, role: "called", behind: null, isExecuted: false },
    { address: bob, role: "spender", isExecuted: false },
  ]);
});

test.each([
  ["a contract of our tables", calling(router)],
  ["a listed token", calling(usdc)],
  ["the account itself", calling(me)],
  ["an address that only gets coin", { leaves: [aLeaf({ to: stranger, data: "0x" })] }],
])("%s is no stranger", (_, reading) => {
  expect(find(reading)).toEqual([]);
});

test("an address that provably has no code is no stranger, one that runs foreign code is", () => {
  expect(find(calling(stranger), { parties: [party({})] })).toEqual([]);
  expect(find(calling(stranger), { parties: [party({ delegate: code })] })).toHaveLength(1);
});

test("the implementation that was executed is one too; a reverted run shows no implementation", () => {
  const proxies = [{ address: stranger, implementation: code }];
  expect(find(calling(stranger), { proxies })).toMatchObject([
    { address: stranger, role: "called", isExecuted: true },
    { address: code, role: "implementation", behind: stranger, isExecuted: true },
  ]);
  expect(find(calling(stranger), { reverted: "no" })).toMatchObject([{ isExecuted: false }]);
});
