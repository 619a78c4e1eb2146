// The verification service could not decide: UNDECIDED is neither an approval nor a rejection. The owner, who knows the
// content, decides. Here the request contains an invalid character, as a careless copy leaves it. The API would reject it, but
// cannot see the encrypted request, and the validator does not read it.
import assert from "node:assert/strict";
import { createMessage, encrypt, generateKey, readKey, readPrivateKey, sign } from "openpgp";
import {
  call,
  expectStatus,
  makeAccount,
  waitForPhase,
  waitForVerdict,
  type Transaction,
} from "../make-account.ts";

const { wallet, asOwner, asAgent } = await makeAccount();
const alice = "0x742d35Cc6634C0532925a3b844Bc454e4438f44e";
const tx = { to: alice.toLowerCase(), value: "10000000000000000", data: "0x" };
const userPrompt = `Send 0.01 ETH to ${alice}\u0000`;

const open = { escrowAddress: wallet.address, userPrompt, tx };
assert.equal((await call("POST", "/transactions", asAgent, open)).status, 400);

// The same, sealed: examples/sealed-by-the-sender explains each step.
const pgp = await generateKey({ userIDs: [{ name: wallet.address }], format: "armored" });
const signature = await wallet.signMessage({ message: pgp.publicKey });
const key = { pgpPublicKey: pgp.publicKey, signature };
await expectStatus(201, call("POST", "/user-api-keys/register", asOwner, key));
const [service] = await expectStatus(
  200,
  call<{ pgpPublicKey: string }[]>("GET", "/verification-services/active"),
);
const signingKeys = await readPrivateKey({ armoredKey: pgp.privateKey });
const encryptionKeys = await readKey({ armoredKey: service?.pgpPublicKey ?? "" });
const bytes = (text: string) => createMessage({ binary: new TextEncoder().encode(text) });
function armour(made: unknown): string {
  assert.ok(typeof made === "string");
  return made;
}

async function propose(): Promise<string> {
  const escrow = wallet.address.toLowerCase();
  const content = JSON.stringify({ version: 1, escrow, chainId: 11_155_111, ...tx, userPrompt });
  const encryptedPayload = armour(await encrypt({ message: await bytes(content), encryptionKeys }));
  const message = await bytes(encryptedPayload);
  const payloadSignature = armour(await sign({ message, signingKeys, detached: true }));
  const body = { escrowAddress: wallet.address, encryptedPayload, payloadSignature };
  return (await expectStatus(201, call<Transaction>("POST", "/transactions", asAgent, body))).requestHash;
}

// Even if the agent may execute approved transactions without asking, this one needs the owner.
await expectStatus(200, call("PUT", "/settings", asOwner, { executionType: 2 }));

const requestHash = await propose();
const verdict = await waitForVerdict(requestHash, asAgent);
console.log(verdict.decision, verdict.analysis);
assert.equal(verdict.decision, "UNDECIDED");
assert.equal(verdict.confidence, 0);
assert.match(verdict.analysis, /could not read the request/);
// Also that it does not know is signed.
assert.ok(verdict.attestation);
await waitForPhase(requestHash, asAgent, "AWAITING");

// The agent's key cannot help itself; its owner can.
const approvals = `/transactions/${requestHash}/approvals`;
await expectStatus(201, call("POST", approvals, asAgent, { decision: "APPROVED" }));
await waitForPhase(requestHash, asAgent, "AWAITING");
await expectStatus(201, call("POST", approvals, asOwner, { decision: "APPROVED" }));
const approved = await waitForPhase(requestHash, asAgent, "READY");
assert.equal(approved.status, "APPROVED");

// Or the owner says no, and that is the end of it.
const another = await propose();
assert.equal((await waitForVerdict(another, asAgent)).decision, "UNDECIDED");
await expectStatus(
  201,
  call("POST", `/transactions/${another}/approvals`, asOwner, { decision: "REJECTED" }),
);
const rejected = await waitForPhase(another, asAgent, "REJECTED");
assert.equal(rejected.reason, "USER");
console.log("one approved, one rejected, both by the owner");
