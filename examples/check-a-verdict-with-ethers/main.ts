// Verifies a verdict without trusting the service or our code: with ethers, from a receipt and the chain. Then it
// manipulates every relevant part of the receipt, and none of them passes.
import assert from "node:assert/strict";
import { Contract, JsonRpcProvider, sha256 } from "ethers";
import { addresses } from "../addresses.ts";
import { call, expectStatus, makeAccount, waitForVerdict, type Transaction } from "../make-account.ts";
import { canonical, checkReceipt, type Receipt } from "./check.ts";
import { hashPayload } from "./hash-payload.ts";
import { subjectsOf } from "./subjects.ts";

const { chain, ipfs, contracts } = addresses();
const { wallet, asAgent } = await makeAccount();
const alice = "0x742d35Cc6634C0532925a3b844Bc454e4438f44e";

async function judged(proposal: object): Promise<Receipt> {
  const { requestHash } = await expectStatus(
    201,
    call<Transaction>("POST", "/transactions", asAgent, { escrowAddress: wallet.address, ...proposal }),
  );
  await waitForVerdict(requestHash, asAgent);
  return expectStatus(200, call<Receipt>("GET", `/transactions/${requestHash}/receipt`, asAgent));
}

// Who verifies is on the chain: the address of service 1 is what its verdicts are signed by.
const node = new JsonRpcProvider(chain);
const registry = new Contract(
  contracts.serviceRegistry,
  [
    "function serviceOf(uint256) view returns (tuple(address inbox, bool active, bytes fingerprint, string keyUri))",
  ],
  node,
);
const { inbox: service } = (await registry.getFunction("serviceOf")(1)) as { inbox: string };
const chainId = Number((await node.getNetwork()).chainId);
const installation = { chainId, inboxContract: contracts.inbox, service };

// One that does what was asked, one that pays ten times as much. Both verdicts hold.
const paying = (value: string) => ({
  userPrompt: `Send 0.01 ETH to ${alice}`,
  tx: { to: alice, value, data: "0x" },
});
const approved = await judged(paying("10000000000000000"));
const rejected = await judged(paying("100000000000000000"));
assert.equal(checkReceipt(approved, installation).decision, "APPROVED");
assert.equal(checkReceipt(rejected, installation).decision, "REJECTED");
console.log("both verdicts are signed by", service);

// The chain has it, for that service, under a root for the proposals of a moment. IPFS has the sealed bytes whose digest is there.
const inbox = new Contract(
  contracts.inbox,
  [
    "function isUnderRoot(tuple(bytes32 requestHash, bytes32 contentDigest, address inbox), bytes32 root, bytes32[] proof) view returns (bool)",
  ],
  node,
);
const { envelope, registration } = approved;
assert.ok(envelope && registration);
const isRecorded = (contentDigest: string): Promise<boolean> =>
  inbox.getFunction("isUnderRoot")(
    { requestHash: approved.requestHash, contentDigest, inbox: service },
    registration.root,
    registration.proof,
  ) as Promise<boolean>;
assert.ok(await isRecorded(envelope.digest));
assert.ok(!(await isRecorded(approved.requestHash)), "another digest is not recorded");
const sealed = await (await fetch(`${ipfs}/ipfs/${envelope.cid}`)).bytes();
assert.equal(sha256(sealed), envelope.digest);
node.destroy();

// Manipulations of a receipt.
const { proposal, attestation, report } = approved;
assert.ok(attestation);
const bend = (verdict: object) => ({
  ...approved,
  attestation: { ...attestation, verdict: { ...attestation.verdict, ...verdict } },
});
const attempts: [Receipt, RegExp][] = [
  [{ ...approved, proposal: { ...proposal, value: "1" } }, /another request hash/],
  [
    { ...approved, proposal: { ...proposal, userPrompt: "Send all I have to anyone" } },
    /another request hash/,
  ],
  [{ ...approved, attestation: rejected.attestation }, /about another request/],
  [{ ...rejected, decision: "APPROVED" }, /says something else/],
  [{ ...approved, report: { ...(report as object), reason: "Fine." } }, /the report is another/],
  [bend({ to: service }), /another payment/],
  [bend({ issuedAt: attestation.verdict.issuedAt + 1 }), /signed by another key/],
  [{ ...approved, attestation: null }, /not signed/],
];
for (const [receipt, problem] of attempts)
  assert.throws(() => checkReceipt(receipt, installation), { message: problem });
// Nor does it hold for another installation.
const elsewhere = { ...installation, inboxContract: contracts.accountRegistry };
assert.throws(() => checkReceipt(approved, elsewhere), { message: /another request hash/ });
console.log(attempts.length + 1, "bent receipts were found out");

// Everything else that a wallet signs has a verdict of version 2, about the exact hash that is computed here.
for (const subject of subjectsOf(wallet.address)) {
  const receipt = await judged(subject);
  const verdict = checkReceipt(receipt, installation);
  const signed = hashPayload(receipt.proposal);
  assert.ok(signed !== undefined && "shape" in verdict && verdict.signingHash === signed.signingHash);
  const another = { ...receipt, proposal: { ...receipt.proposal, ...approved.proposal } };
  assert.throws(() => checkReceipt(another, installation), { message: /another request hash/ });
  const bent = { ...verdict, signingHash: approved.requestHash };
  const forged = { ...receipt, attestation: { ...(receipt.attestation ?? attestation), verdict: bent } };
  assert.throws(() => checkReceipt(forged, installation), { message: /other data to sign/ });
  console.log(`the verdict about ${signed.shape} is ${verdict.decision}`);
}

// The canonical text does not depend on the order of members; these are examples of RFC 8785.
assert.equal(
  canonical({ peach: "x", péché: 1e21, "\u20ac": [4.5, 2e-3, 1e-27, null], "\ud83d\ude00": "\u000f\n" }),
  '{"peach":"x","péché":1e+21,"€":[4.5,0.002,1e-27,null],"😀":"\\u000f\\n"}',
);
