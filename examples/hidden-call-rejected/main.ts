// A manipulated agent adds a call to the requested one. The verification service reads the nested calls and rejects the
// proposal.
import assert from "node:assert/strict";
import { createCountersign, InvalidRequestError } from "@countersign/sdk";
import { signIn } from "@countersign/sdk/viem";
import { encodeFunctionData, erc20Abi, maxUint256, parseAbi, parseEther, type Hex } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";

const url = process.env["COUNTERSIGN_URL"] ?? "http://127.0.0.1:3000";
const alice = "0x742d35Cc6634C0532925a3b844Bc454e4438f44e";
const thief = "0x3f5CE5FBFe3E9af3971dD833D26bA9b5C936f0bE";
const usdc = "0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238";
const multicall = "0xcA11bde05977b3631167028862bE2a173976CA11";
const batch = parseAbi([
  "struct Call { address target; bool allowFailure; uint256 value; bytes callData; }",
  "function aggregate3Value(Call[] calls) payable",
]);
const pay = (target: Hex, value: bigint) => ({ target, allowFailure: false, value, callData: "0x" }) as const;
const allow = {
  ...pay(usdc, 0n),
  callData: encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [thief, maxUint256] }),
};
type Call = Omit<typeof allow, "target"> & { readonly target: Hex };

const wallet = privateKeyToAccount(generatePrivateKey());
const owner = createCountersign({ url, session: await signIn({ url, wallet }) });
const agent = createCountersign({ url, apiKey: (await owner.keys.create({ name: "my agent" })).secret });

/** The request is always the same. The batch is not. */
async function propose(...calls: Call[]) {
  const { requestHash } = await agent.propose({
    userPrompt: `Send 0.01 ETH to ${alice}`,
    tx: {
      to: multicall,
      value: calls.reduce((sum, { value }) => sum + value, 0n),
      data: encodeFunctionData({ abi: batch, functionName: "aggregate3Value", args: [calls] }),
    },
  });
  return { requestHash, verdict: await agent.waitForVerdict(requestHash) };
}

// A batch is nothing bad: this one holds the payment alone.
const honest = await propose(pay(alice, parseEther("0.01")));
assert.equal(honest.verdict.decision, "APPROVED");

// The payment plus a small payment to another address; or the payment plus an allowance for all USDC.
for (const hidden of [pay(thief, parseEther("0.001")), allow]) {
  const { requestHash, verdict } = await propose(pay(alice, parseEther("0.01")), hidden);
  console.log(verdict.decision, verdict.analysis);
  assert.equal(verdict.decision, "REJECTED");
  // The analysis names the checks that object, and who would have gained.
  assert.match(verdict.analysis, /adversarial_detection\.hidden_call/);
  assert.match(verdict.analysis, new RegExp(thief, "i"));

  // The validator's whole answer is in the receipt, and the signed verdict is bound to its hash.
  const { report } = await agent.receipt(requestHash);
  assert.ok(report);
  const { key_issues: issues } = report["explanation"] as { key_issues: { node: string }[] };
  assert.equal(report["decision"], "REJECT");
  assert.ok(issues.some(({ node }) => node === "adversarial_detection.hidden_call"));

  // A rejection is final: not even the owner can approve it now.
  const rejected = await agent.waitForStatus(requestHash, ["REJECTED"]);
  assert.equal(rejected.reason, "ORION");
  await assert.rejects(owner.approve(requestHash), InvalidRequestError);
}
