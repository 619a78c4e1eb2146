// The sender trusts only the verification service with the request, so the sender encrypts it. The API stores, registers and
// forwards a ciphertext that it cannot read, and the verdict can still be verified.
import assert from "node:assert/strict";
import { createMessage, encrypt, generateKey, readKey, sign, readPrivateKey } from "openpgp";
import { hashTypedData, keccak256, parseEther, recoverTypedDataAddress, stringToBytes, type Hex } from "viem";
import { addresses } from "../addresses.ts";
import { call, expectStatus, makeAccount, waitForVerdict, type Transaction } from "../make-account.ts";

const { wallet, asOwner, asAgent } = await makeAccount();

// The owner has an OpenPGP key; the wallet's signature over its text says whose it is.
const pgp = await generateKey({ userIDs: [{ name: wallet.address }], format: "armored" });
const signature = await wallet.signMessage({ message: pgp.publicKey });
const key = { pgpPublicKey: pgp.publicKey, signature };
await expectStatus(201, call("POST", "/user-api-keys/register", asOwner, key));

// The verification service and its key. To be certain, compare it with the registry on chain.
type Service = { id: number; inbox: Hex; pgpPublicKey: string; fingerprint: string };
const [service] = await expectStatus(200, call<Service[]>("GET", "/verification-services/active"));
assert.ok(service);
const serviceKey = await readKey({ armoredKey: service.pgpPublicKey });
assert.equal(serviceKey.getFingerprint(), service.fingerprint);

// OpenPGP as text in ASCII armour, over bytes, so that no library changes a line ending.
const bytes = (text: string) => createMessage({ binary: new TextEncoder().encode(text) });
function armour(made: unknown): string {
  assert.ok(typeof made === "string");
  return made;
}

// The content that only the verification service can read.
const bob = "0x8ba1f109551bD432803012645Ac136ddd64DBA72";
const words = `Send 0.02 ETH to ${bob}`;
const content = {
  version: 1,
  escrow: wallet.address.toLowerCase(),
  chainId: 11_155_111,
  to: bob.toLowerCase(),
  value: parseEther("0.02").toString(),
  data: "0x",
  userPrompt: words,
};
const message = await bytes(JSON.stringify(content));
const ciphertext = armour(await encrypt({ message, encryptionKeys: serviceKey }));

// The owner's key signs the ciphertext.
const signingKeys = await readPrivateKey({ armoredKey: pgp.privateKey });
const payloadSignature = armour(
  await sign({ message: await bytes(ciphertext), signingKeys, detached: true }),
);
const body = { escrowAddress: wallet.address, encryptedPayload: ciphertext, payloadSignature };

// A plaintext request next to the ciphertext would reveal it, so it is rejected.
assert.equal((await call("POST", "/transactions", asAgent, { ...body, userPrompt: words })).status, 400);

const proposed = await expectStatus(201, call<Transaction>("POST", "/transactions", asAgent, body));
assert.equal(proposed.description, "(encrypted by the sender)");
const { requestHash } = proposed;

const verdict = await waitForVerdict(requestHash, asAgent);
console.log(verdict.decision, verdict.analysis);
assert.equal(verdict.decision, "APPROVED");

// The service stores neither request nor report, only the ciphertext, whose hash is part of the request hash.
type Receipt = {
  readonly proposal: {
    readonly userPrompt: null;
    readonly ciphertext: string;
    readonly executionType: number;
    readonly deadline: number;
    readonly salt: Hex;
  };
  readonly report: null;
  readonly attestation: {
    readonly verdict: Readonly<Record<string, unknown>>;
    readonly signature: Hex;
  };
};
const receipt = await expectStatus(
  200,
  call<Receipt>("GET", `/transactions/${requestHash}/receipt`, asAgent),
);
assert.equal(receipt.report, null);
assert.equal(receipt.proposal.userPrompt, null);
assert.equal(receipt.proposal.ciphertext, ciphertext);
assert.ok(!JSON.stringify([receipt, verdict, proposed]).includes(words));

// The request hash covers the ciphertext, so it was not replaced.
const { attestation, proposal } = receipt;
const domain = {
  name: "Countersign",
  version: "1",
  chainId: 11_155_111,
  verifyingContract: addresses().contracts.inbox,
} as const;
const fields = (list: string) =>
  list.split(", ").map((field) => {
    const [type = "", name = ""] = field.split(" ");
    return { type, name };
  });
const types: Record<"SealedProposal" | "Verdict", { type: string; name: string }[]> = {
  SealedProposal: fields(
    "address escrow, uint256 chainId, bytes32 payloadHash, uint8 executionType, uint256 deadline, bytes32 salt",
  ),
  Verdict: fields(
    "bytes32 requestHash, address escrow, uint256 chainId, address to, uint256 value, bytes32 dataHash, " +
      "bytes32 intentHash, uint8 decision, bytes32 reportHash, uint64 issuedAt, uint64 validUntil",
  ),
};
const computed = hashTypedData({
  domain,
  types,
  primaryType: "SealedProposal",
  message: {
    escrow: wallet.address,
    chainId: 11_155_111,
    payloadHash: keccak256(stringToBytes(ciphertext)),
    executionType: proposal.executionType,
    deadline: proposal.deadline,
    salt: proposal.salt,
  },
});
assert.equal(computed, requestHash);

// The verdict is about what was sealed, which the sender knows, and is signed by the service that was chosen.
const said = attestation.verdict;
assert.partialDeepStrictEqual(said, {
  requestHash,
  to: content.to,
  value: content.value,
  dataHash: keccak256("0x"),
  intentHash: keccak256(stringToBytes(words)),
  decision: "APPROVED",
});
const signer = await recoverTypedDataAddress({
  domain,
  types,
  primaryType: "Verdict",
  message: { ...said, decision: 1 },
  signature: attestation.signature,
});
assert.equal(signer, service.inbox);
console.log("verified without being shown to the service, and signed by", signer);
