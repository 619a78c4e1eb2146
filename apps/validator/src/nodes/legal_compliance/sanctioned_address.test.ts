import { aList, bob, me, testNode } from "../../../test/nodes.ts";
import node from "./sanctioned_address.ts";

testNode(node, {
  pass: [{ name: "no party is listed" }],
  fail: [
    { name: "the recipient is listed", facts: { sanctions: aList([bob]) }, because: "is on the list" },
    {
      name: "the sender is listed, on an old list",
      facts: { sanctions: aList([me], false) },
      because: "(sender)",
    },
  ],
  skip: [
    { name: "no list", missing: "sanctions" },
    {
      name: "a list that is too old to clear a party",
      facts: { sanctions: aList([], false) },
      because: "out of date",
    },
  ],
});
