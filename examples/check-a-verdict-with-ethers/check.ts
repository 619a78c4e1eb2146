// Checks a receipt with ethers and nothing of ours, so that it also checks our own code. It throws a sentence that says what
// does not hold. Keep the receipt and the addresses of the installation: nothing else is asked for.
import assert from "node:assert/strict";
import { id, keccak256, toUtf8Bytes, TypedDataEncoder, verifyTypedData } from "ethers";
import { fields, hashPayload, type Payloads } from "./hash-payload.ts";

type Domain = {
  readonly name: string;
  readonly version: string;
  readonly chainId: number;
  readonly verifyingContract: string;
};
type Proposal = Payloads & {
  readonly escrow: string;
  readonly chainId: number;
  readonly to: string | null;
  readonly value: string | null;
  readonly data: string | null;
  readonly userPrompt: string | null;
  readonly ciphertext: string | null;
  readonly executionType: number;
  readonly deadline: number;
  readonly salt: string;
};
/** Version 1 is about a transaction, version 2 about the hash of anything else. */
type Subject =
  | { readonly to: string; readonly value: string; readonly dataHash: string }
  | { readonly shape: string; readonly signingHash: string };
type Verdict = Subject & {
  readonly requestHash: string;
  readonly escrow: string;
  readonly chainId: number;
  readonly intentHash: string;
  readonly decision: "APPROVED" | "REJECTED" | "UNDECIDED";
  readonly reportHash: string;
  readonly issuedAt: number;
  readonly validUntil: number;
};
export type Receipt = {
  readonly requestHash: string;
  readonly domain: Domain;
  readonly proposal: Proposal;
  readonly envelope: { readonly digest: string; readonly cid: string } | null;
  /** Null for a proposal without a public trace; its root is null if it was recorded alone. */
  readonly registration: { readonly root: string | null; readonly proof: readonly string[] | null } | null;
  readonly decision: string;
  readonly attestation: {
    readonly domain: Domain;
    readonly verdict: Verdict;
    readonly signature: string;
  } | null;
  readonly report: unknown;
};

/** Known from somewhere else than the receipt: the chain, a web page, an earlier receipt. */
export type Installation = {
  readonly chainId: number;
  readonly inboxContract: string;
  /** The Ethereum address of the verification service. */
  readonly service: string;
};

const subjects = {
  "1": "address to, uint256 value, bytes32 dataHash, bytes32 intentHash",
  "2": "string shape, bytes32 signingHash, bytes32 intentHash",
} as const;
type Version = keyof typeof subjects;
const terms = "uint8 executionType, uint256 deadline, bytes32 salt";
const proposalType = (version: Version) =>
  fields(`address escrow, uint256 chainId, ${subjects[version]}, ${terms}`);
const sealedType = fields(`address escrow, uint256 chainId, bytes32 payloadHash, ${terms}`);
const verdictType = (version: Version) =>
  fields(
    `bytes32 requestHash, address escrow, uint256 chainId, ${subjects[version]}, ` +
      "uint8 decision, bytes32 reportHash, uint64 issuedAt, uint64 validUntil",
  );
const codes = { APPROVED: 1, REJECTED: 2, UNDECIDED: 3 } as const;

/** RFC 8785 in full: members sorted by UTF-16 units, no blanks, numbers and texts as ECMAScript writes them. */
export function canonical(json: unknown): string {
  if (Array.isArray(json)) return `[${json.map(canonical).join(",")}]`;
  if (typeof json !== "object" || json === null) return JSON.stringify(json);
  const members = Object.entries(json).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, value]) => `${JSON.stringify(name)}:${canonical(value)}`).join(",")}}`;
}

type DomainOf = (version: Version) => Domain;

function hashOf(domainOf: DomainOf, proposal: Proposal): string {
  const { to, value, data, userPrompt, ciphertext } = proposal;
  if (ciphertext !== null)
    return TypedDataEncoder.hash(
      domainOf("1"),
      { SealedProposal: sealedType },
      { ...proposal, payloadHash: id(ciphertext) },
    );
  assert.ok(userPrompt !== null, "the receipt holds neither a content nor a ciphertext");
  const intentHash = id(userPrompt);
  const signed = hashPayload(proposal);
  if (signed !== undefined)
    return TypedDataEncoder.hash(
      domainOf("2"),
      { Proposal: proposalType("2") },
      { ...proposal, ...signed, intentHash },
    );
  assert.ok(data !== null, "the receipt holds neither a content nor a ciphertext");
  const call = { to, value, dataHash: keccak256(data), intentHash };
  return TypedDataEncoder.hash(domainOf("1"), { Proposal: proposalType("1") }, { ...proposal, ...call });
}

const isSame = (one: string | number, other: string | number | null): boolean =>
  String(one).toLowerCase() === String(other).toLowerCase();

/** Does the verdict match the proposal? For an encrypted proposal, only the sender can compare the call. */
function checkSubject(verdict: Verdict, { requestHash, proposal }: Receipt): void {
  const { escrow, chainId, userPrompt, deadline } = proposal;
  assert.ok(isSame(verdict.requestHash, requestHash), "the verdict is about another request");
  assert.ok(isSame(verdict.escrow, escrow), "the verdict is about another account");
  assert.ok(isSame(verdict.chainId, chainId), "the verdict is about another chain");
  assert.ok(isSame(verdict.validUntil, deadline), "the verdict has another deadline");
  if (userPrompt === null) return;
  assert.ok(isSame(verdict.intentHash, id(userPrompt)), "the verdict is about other words");
  checkSigned(verdict, proposal);
}

/** Compares the call, or the exact hash that would be signed. */
function checkSigned(verdict: Verdict, proposal: Proposal): void {
  const { to, value, data } = proposal;
  const signed = hashPayload(proposal);
  if (signed !== undefined) {
    const isAbout =
      "shape" in verdict && verdict.shape === signed.shape && isSame(verdict.signingHash, signed.signingHash);
    assert.ok(isAbout, "the verdict is about other data to sign");
    return;
  }
  assert.ok("to" in verdict, "the verdict is about data to sign");
  assert.ok(isSame(verdict.to, to) && isSame(verdict.value, value), "the verdict is about another payment");
  assert.ok(isSame(verdict.dataHash, keccak256(data ?? "0x")), "the verdict is about other bytes");
}

export function checkReceipt(receipt: Receipt, { chainId, inboxContract, service }: Installation): Verdict {
  const { attestation, requestHash, proposal, report, decision } = receipt;
  assert.ok(attestation !== null, "the verdict is not signed");
  const domainOf = (version: Version): Domain => ({
    ...{ name: "Countersign", version, chainId, verifyingContract: inboxContract },
  });
  const { verdict, signature } = attestation;

  assert.equal(hashOf(domainOf, proposal), requestHash, "the proposal has another request hash");
  checkSubject(verdict, receipt);
  assert.equal(verdict.decision, decision, "the verdict says something else");
  if (report !== null)
    assert.equal(keccak256(toUtf8Bytes(canonical(report))), verdict.reportHash, "the report is another");

  const signed = { ...verdict, decision: codes[verdict.decision] };
  const version = "shape" in verdict ? "2" : "1";
  const signer = verifyTypedData(domainOf(version), { Verdict: verdictType(version) }, signed, signature);
  assert.ok(isSame(signer, service), "the verdict is signed by another key");
  return verdict;
}
