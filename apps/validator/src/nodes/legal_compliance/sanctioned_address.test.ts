import { aList, bob, me, testNode } from "../../../test/nodes.ts";
import node from "./sanctioned_address.ts";

testNode(node, {
  pass: [{ name: "nobody is listed" }],
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
      name: "a list too old to clear anybody",
      facts: { sanctions: aList([], false) },
      because: "out of date",
    },
  ],
});
