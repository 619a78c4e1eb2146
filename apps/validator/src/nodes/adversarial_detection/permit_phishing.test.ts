import { anApproval, now, router, saying, stranger, testNode, withEffects } from "../../../test/nodes.ts";
import type { Effect } from "../../facts.ts";
import node from "./permit_phishing.ts";

const ending = (permit: Effect, until: bigint | null): Effect => ({
  ...permit,
  authority: permit.authority && { ...permit.authority, until },
});

const inSafe = (approval: Effect): Effect => ({
  ...approval,
  where: { ...approval.where, call: "proposed_tx.order/0" },
});

testNode(node, {
  pass: [
    { name: "a permit for a known router", facts: withEffects(anApproval(router, 100n, true)) },
    {
      name: "a permit for a party that the request names",
      facts: { ...withEffects(anApproval(stranger, 100n, true)), ...saying(stranger) },
    },
    {
      name: "an approval without an end in a transaction of a Safe that is signed",
      facts: { ...withEffects(inSafe(ending(anApproval(router, 100n), null))) },
    },
  ],
  fail: [
    {
      name: "a permit for a stranger",
      facts: withEffects(anApproval(stranger, 100n, true)),
      because: "The request does not name it",
    },
    {
      name: "an approval of a stranger in a transaction of a Safe that is signed",
      facts: withEffects(inSafe(anApproval(stranger, 100n))),
      because: "The request does not name it",
    },
    {
      name: "a permit that never ends",
      facts: withEffects(ending(anApproval(router, 100n, true), null)),
      because: "more than 30 days",
      severity: "high",
    },
    {
      name: "a permit that ended before it was made",
      facts: withEffects(ending(anApproval(router, 100n, true), 1n)),
      because: "already expired",
      severity: "high",
    },
    {
      name: "a permit that ends now",
      facts: withEffects(ending(anApproval(router, 100n, true), now)),
      because: "already expired",
      severity: "high",
    },
  ],
  skip: [{ name: "nothing is signed", missing: "signed" }],
});
