// Checks a receipt with ethers and nothing of ours, so that it also checks our own code. It throws a sentence that says what
// does not hold. Keep the receipt and the addresses of the installation: nothing else is asked for.
import assert from "node:assert/strict";
import { id, keccak256, toUtf8Bytes, TypedDataEncoder, verifyTypedData } from "ethers";

type Domain = {
  readonly name: string;
  readonly version: string;
  readonly chainId: number;
  readonly verifyingContract: string;
};
type Proposal = {
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
type Verdict = {
  readonly requestHash: string;
  readonly escrow: string;
  readonly chainId: number;
  readonly to: string;
  readonly value: string;
  readonly dataHash: string;
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

const fields = (...list: readonly string[]) =>
  list.map((field) => {
    const [type = "", name = ""] = field.split(" ");
    return { type, name };
  });
const call = ["address to", "uint256 value", "bytes32 dataHash", "bytes32 intentHash"];
const terms = ["uint8 executionType", "uint256 deadline", "bytes32 salt"];
const types = {
  Proposal: fields("address escrow", "uint256 chainId", ...call, ...terms),
  SealedProposal: fields("address escrow", "uint256 chainId", "bytes32 payloadHash", ...terms),
  Verdict: fields(
    ...["bytes32 requestHash", "address escrow", "uint256 chainId", ...call],
    ...["uint8 decision", "bytes32 reportHash", "uint64 issuedAt", "uint64 validUntil"],
  ),
};
const codes = { APPROVED: 1, REJECTED: 2, UNDECIDED: 3 } as const;

/** RFC 8785 in full: members sorted by UTF-16 units, no blanks, numbers and texts as ECMAScript writes them. */
export function canonical(json: unknown): string {
  if (Array.isArray(json)) return `[${json.map(canonical).join(",")}]`;
  if (typeof json !== "object" || json === null) return JSON.stringify(json);
  const members = Object.entries(json).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, value]) => `${JSON.stringify(name)}:${canonical(value)}`).join(",")}}`;
}

function hashOf(domain: Domain, { to, value, data, userPrompt, ciphertext, ...proposal }: Proposal): string {
  const hash = (type: "Proposal" | "SealedProposal", more: object): string =>
    TypedDataEncoder.hash(domain, { [type]: types[type] }, { ...proposal, ...more });
  if (ciphertext !== null) return hash("SealedProposal", { payloadHash: id(ciphertext) });
  assert.ok(data !== null && userPrompt !== null, "the receipt holds neither a content nor a ciphertext");
  return hash("Proposal", { to, value, dataHash: keccak256(data), intentHash: id(userPrompt) });
}

const isSame = (one: string | number, other: string | number | null): boolean =>
  String(one).toLowerCase() === String(other).toLowerCase();

/** Does the verdict match the proposal? For an encrypted proposal, only the sender can compare the call. */
function checkSubject(verdict: Verdict, { requestHash, proposal }: Receipt): void {
  const { escrow, chainId, to, value, data, userPrompt, deadline } = proposal;
  assert.ok(isSame(verdict.requestHash, requestHash), "the verdict is about another request");
  assert.ok(isSame(verdict.escrow, escrow), "the verdict is about another account");
  assert.ok(isSame(verdict.chainId, chainId), "the verdict is about another chain");
  assert.ok(isSame(verdict.validUntil, deadline), "the verdict has another deadline");
  if (data === null || userPrompt === null) return;
  assert.ok(isSame(verdict.to, to) && isSame(verdict.value, value), "the verdict is about another payment");
  assert.ok(isSame(verdict.dataHash, keccak256(data)), "the verdict is about other bytes");
  assert.ok(isSame(verdict.intentHash, id(userPrompt)), "the verdict is about other words");
}

export function checkReceipt(receipt: Receipt, { chainId, inboxContract, service }: Installation): Verdict {
  const { attestation, requestHash, proposal, report, decision } = receipt;
  assert.ok(attestation !== null, "the verdict is not signed");
  const domain: Domain = { name: "Countersign", version: "1", chainId, verifyingContract: inboxContract };
  const { verdict, signature } = attestation;

  assert.equal(hashOf(domain, proposal), requestHash, "the proposal has another request hash");
  checkSubject(verdict, receipt);
  assert.equal(verdict.decision, decision, "the verdict says something else");
  if (report !== null)
    assert.equal(keccak256(toUtf8Bytes(canonical(report))), verdict.reportHash, "the report is another");

  const signed = { ...verdict, decision: codes[verdict.decision] };
  const signer = verifyTypedData(domain, { Verdict: types.Verdict }, signed, signature);
  assert.ok(isSame(signer, service), "the verdict is signed by another key");
  return verdict;
}
