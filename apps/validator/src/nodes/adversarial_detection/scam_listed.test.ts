import { aList, bob, testNode } from "../../../test/nodes.ts";
import node from "./scam_listed.ts";

testNode(node, {
  pass: [{ name: "no party is listed" }],
  fail: [
    { name: "the recipient is listed", facts: { scams: aList([bob], false) }, because: "is on the list" },
  ],
  skip: [
    { name: "no list", missing: "scams" },
    {
      name: "a list that is too old to clear a party",
      facts: { scams: aList([], false) },
      because: "out of date",
    },
  ],
});
