// A user's request, and five transactions of an agent: one matches, four differ.
import assert from "node:assert/strict";
import { addresses } from "../addresses.ts";

const { validator } = addresses();

const alice = "0x742d35cc6634c0532925a3b844bc454e4438f44e";
const somebodyElse = "0x3f5ce5fbfe3e9af3971dd833d26ba9b5c936f0be";
const payment = { to: alice, value: "100000000000000000" };
const ethereum = { from: "0x7a16ff8270133f063aab6c9977183d9e72835428", chain_id: 1 };

async function ask(proposed: object, metadata = ethereum) {
  const response = await fetch(`${validator}/validate`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      human_intent: `Send 0.1 ETH to ${alice} on Ethereum`,
      proposed_tx: proposed,
      metadata,
    }),
  });
  // A rejection is a result; errors are for malformed requests.
  assert.equal(response.status, 200);
  const verdict = (await response.json()) as {
    decision: string;
    reason: string;
    primary_failure_node: string | null;
  };
  console.log(`${verdict.decision} ${verdict.primary_failure_node ?? ""} ${verdict.reason}`);
  return { decision: verdict.decision, because: verdict.primary_failure_node };
}

assert.deepEqual(await ask(payment), { decision: "PASS", because: null });

assert.deepEqual(await ask({ ...payment, to: somebodyElse }), {
  decision: "REJECT",
  because: "intent_alignment.recipient_match",
});

// A digit too many.
assert.deepEqual(await ask({ ...payment, value: "1000000000000000000" }), {
  decision: "REJECT",
  because: "intent_alignment.amount_match",
});

// The same transaction is valid on Base, but the request names another chain.
assert.deepEqual(await ask(payment, { ...ethereum, chain_id: 8453 }), {
  decision: "REJECT",
  because: "intent_alignment.chain_match",
});

// The payment is right, but there is an additional call.
assert.deepEqual(await ask({ transactions: [payment, { to: somebodyElse, value: "1000000000000000" }] }), {
  decision: "REJECT",
  because: "adversarial_detection.hidden_call",
});
