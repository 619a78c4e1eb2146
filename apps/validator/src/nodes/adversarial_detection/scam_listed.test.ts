import { aList, bob, testNode } from "../../../test/nodes.ts";
import node from "./scam_listed.ts";

testNode(node, {
  pass: [{ name: "nobody is listed" }],
  fail: [
    { name: "the recipient is listed", facts: { scams: aList([bob], false) }, because: "is on the list" },
  ],
  skip: [
    { name: "no list", missing: "scams" },
    { name: "a list too old to clear anybody", facts: { scams: aList([], false) }, because: "out of date" },
  ],
});
