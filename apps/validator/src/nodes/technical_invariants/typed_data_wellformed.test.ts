import type { TypedData } from "../../facts.ts";
import { aProposal, me, testNode, usdc, withDefect } from "../../../test/nodes.ts";
import node from "./typed_data_wellformed.ts";

const permit: TypedData = {
  domain: { name: "USD Coin", chainId: 1, verifyingContract: usdc },
  types: { Permit: [{ name: "owner", type: "address" }] },
  primaryType: "Permit",
  message: { owner: me },
};
const signing = (typedData: TypedData) => ({ proposal: { ...aProposal(), typedData } });

testNode(node, {
  pass: [{ name: "a permit", facts: signing(permit) }],
  fail: [
    {
      name: "types that do not fit",
      facts: withDefect("typed_data_wellformed"),
      because: "expected something else",
    },
    {
      name: "a domain without a contract",
      facts: signing({ ...permit, domain: { chainId: 1 } }),
      because: "no verifyingContract",
    },
    {
      name: "a member that is not signed",
      facts: signing({ ...permit, message: { owner: me, amount: 5n } }),
      because: "does not declare",
    },
  ],
  skip: [],
});
