import { anApproval, calm, router, testNode, usdc } from "../../../test/nodes.ts";
import node from "./nonce_replay.ts";

testNode(node, {
  pass: [
    {
      name: "an unused nonce",
      facts: { signed: [{ ...anApproval(router, 5n, true), terms: { nonce: 7n } }] },
    },
  ],
  fail: [
    {
      name: "a nonce used before",
      facts: {
        signed: [{ ...anApproval(router, 5n, true), terms: { nonce: 7n } }],
        chainState: { ...calm.chainState, usedNonces: new Set([`${usdc}:7`]) },
      },
      because: "The nonce 7 is already used.",
    },
  ],
  skip: [
    { name: "nothing is signed", missing: "signed" },
    { name: "no chain node", missing: "chainState" },
  ],
});
