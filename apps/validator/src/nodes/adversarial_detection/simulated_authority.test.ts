import {
  anApproval,
  aProposal,
  aReading,
  aSimulation,
  me,
  router,
  stranger,
  testNode,
  usdcAsset,
} from "../../../test/nodes.ts";
import type { Asset, Effect } from "../../facts.ts";
import node from "./simulated_authority.ts";

const approving = (after: bigint, { before = 0n, asset = usdcAsset } = {}) => ({
  simulation: aSimulation({ approvals: [{ spender: router, asset, before, after }] }),
});
const saying = (...effects: readonly Effect[]) => ({ reading: aReading({ effects }) });
const item = (id: bigint | null): Asset => ({ kind: "nft", address: stranger, id });
const itemApproval = (id: bigint | null): Effect => {
  const approval = anApproval(router, 1n);
  return { ...approval, authority: approval.authority && { ...approval.authority, asset: item(id) } };
};
const owner = { control: [{ kind: "owner", address: stranger, to: router }] };
const admin = [{ kind: "set_owner", party: router, where: { call: "proposed_tx", field: "data" } }];

testNode(node, {
  pass: [
    { name: "nothing is granted" },
    {
      name: "the allowance of the calldata",
      facts: { ...approving(100n), ...saying(anApproval(router, 100n)) },
    },
    {
      name: "an allowance that is raised",
      facts: {
        ...approving(100n, { before: 40n }),
        ...saying({ ...anApproval(router, 60n), function: "increaseAllowance" }),
      },
    },
    {
      name: "an item of an approved collection",
      facts: { ...approving(1n, { asset: item(7n) }), ...saying(itemApproval(null)) },
    },
    {
      name: "a change of control that the calldata names",
      facts: { simulation: aSimulation(owner), reading: aReading({ net: { ...aReading().net, admin } }) },
    },
    {
      name: "an account that calls itself",
      facts: {
        simulation: aSimulation({ changesAccount: true }),
        proposal: aProposal({ calls: [{ at: "proposed_tx", to: me, value: 0n, data: "0x" }] }),
      },
    },
  ],
  fail: [
    {
      name: "an allowance that the calldata does not name",
      facts: approving(5_000_000n),
      because: "may take 5 USDC afterwards",
    },
    {
      name: "more than the calldata names",
      facts: { ...approving(101n), ...saying(anApproval(router, 100n)) },
      because: "which the calldata does not grant",
    },
    {
      name: "another spender",
      facts: { ...approving(100n), ...saying(anApproval(stranger, 100n)) },
      because: "0x68b3…fc45 may take",
    },
    {
      name: "another item",
      facts: { ...approving(1n, { asset: item(8n) }), ...saying(itemApproval(7n)) },
      because: "NFT 8",
    },
    {
      name: "a new owner",
      facts: { simulation: aSimulation(owner) },
      because: "the owner of 0x57a9…2345 changes",
    },
    {
      name: "a changed account",
      facts: { simulation: aSimulation({ changesAccount: true }) },
      because: "the account itself changes",
    },
  ],
  skip: [
    { name: "no chain node", missing: "state" },
    { name: "a state that is not proven", missing: "simulation" },
  ],
});
