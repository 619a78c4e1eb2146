// The same vectors by another library and by types written out once more: nothing of this package is imported here.
import { createHash } from "node:crypto";
import { keccak256, toUtf8Bytes, TypedDataEncoder, verifyTypedData } from "ethers";
import { describe, expect, test } from "vitest";
import vectors from "../vectors.json" with { type: "json" };

const fieldsOf = (list: string) =>
  list.split(", ").map((field) => {
    const [type = "", name = ""] = field.split(" ");
    return { type, name };
  });

const Proposal = fieldsOf(
  "address escrow, uint256 chainId, address to, uint256 value, bytes32 dataHash, bytes32 intentHash, uint8 executionType, uint256 deadline, bytes32 salt",
);
const SealedProposal = fieldsOf(
  "address escrow, uint256 chainId, bytes32 payloadHash, uint8 executionType, uint256 deadline, bytes32 salt",
);
const Verdict = fieldsOf(
  "bytes32 requestHash, address escrow, uint256 chainId, address to, uint256 value, bytes32 dataHash, bytes32 intentHash, uint8 decision, bytes32 reportHash, uint64 issuedAt, uint64 validUntil",
);
const ShapedProposal = fieldsOf(
  "address escrow, uint256 chainId, string shape, bytes32 signingHash, bytes32 intentHash, uint8 executionType, uint256 deadline, bytes32 salt",
);
const ShapedVerdict = fieldsOf(
  "bytes32 requestHash, address escrow, uint256 chainId, string shape, bytes32 signingHash, bytes32 intentHash, uint8 decision, bytes32 reportHash, uint64 issuedAt, uint64 validUntil",
);
const Intent = fieldsOf("address account, string text, uint256 chainId, bytes32 nonce, uint256 expiresAt");

const typed = ({ chainId, inbox }: { chainId: number; inbox: string }, version = "1") => ({
  name: "Countersign",
  version,
  chainId,
  verifyingContract: inbox,
});
const hashText = (text: string) => keccak256(toUtf8Bytes(text));

describe("by ethers", () => {
  test.each(vectors.proposals)("proposal: $name", ({ domain, fields, ...expected }) => {
    const { data, userPrompt, ...message } = fields;
    const hashes = { dataHash: keccak256(data), intentHash: hashText(userPrompt) };
    expect(hashes).toEqual({ dataHash: expected.dataHash, intentHash: expected.intentHash });
    expect(TypedDataEncoder.hash(typed(domain), { Proposal }, { ...message, ...hashes })).toBe(
      expected.requestHash,
    );
  });

  test.each(vectors.sealedProposals)("sealed proposal: $name", ({ domain, fields, ...expected }) => {
    const { ciphertext, ...message } = fields;
    const payloadHash = hashText(ciphertext);
    expect(payloadHash).toBe(expected.payloadHash);
    expect(TypedDataEncoder.hash(typed(domain), { SealedProposal }, { ...message, payloadHash })).toBe(
      expected.requestHash,
    );
  });

  test.each(vectors.verdicts)("verdict: $name", ({ domain, verdict, digest, signature, signer }) => {
    const decision = ["", "APPROVED", "REJECTED", "UNDECIDED"].indexOf(verdict.decision);
    const message = { ...verdict, decision };
    expect(TypedDataEncoder.hash(typed(domain), { Verdict }, message)).toBe(digest);
    expect(verifyTypedData(typed(domain), { Verdict }, message, signature).toLowerCase()).toBe(signer);
  });

  test.each(vectors.shapedProposals)("proposal of version 2: $name", ({ domain, fields, ...expected }) => {
    const { typedData, userPrompt, ...message } = fields;
    const types = typedData.types as Record<string, { name: string; type: string }[]>;
    const hashes = {
      signingHash: TypedDataEncoder.hash(typedData.domain, types, typedData.message),
      intentHash: hashText(userPrompt),
    };
    expect(hashes).toEqual({ signingHash: expected.signingHash, intentHash: expected.intentHash });
    const struct = { Proposal: ShapedProposal };
    expect(TypedDataEncoder.hash(typed(domain, "2"), struct, { ...message, ...hashes })).toBe(
      expected.requestHash,
    );
  });

  test.each(vectors.shapedVerdicts)("verdict of version 2: $name", ({ domain, verdict, ...expected }) => {
    const decision = ["", "APPROVED", "REJECTED", "UNDECIDED"].indexOf(verdict.decision);
    const message = { ...verdict, decision };
    const struct = { Verdict: ShapedVerdict };
    expect(TypedDataEncoder.hash(typed(domain, "2"), struct, message)).toBe(expected.digest);
    const signer = verifyTypedData(typed(domain, "2"), struct, message, expected.signature);
    expect(signer.toLowerCase()).toBe(expected.signer);
  });

  test.each(vectors.intents)("intent: $name", ({ intent, digest }) => {
    expect(TypedDataEncoder.hash({ name: "Countersign", version: "1" }, { Intent }, intent)).toBe(digest);
  });

  test.each(vectors.cids)("digest: $cid", ({ text, digest }) => {
    expect(`0x${createHash("sha256").update(text).digest("hex")}`).toBe(digest);
  });

  test("the vectors have every execution type and every decision", () => {
    expect(new Set(vectors.proposals.map(({ fields }) => fields.executionType))).toEqual(new Set([0, 1, 2]));
    expect(new Set(vectors.sealedProposals.map(({ fields }) => fields.executionType))).toEqual(
      new Set([0, 1, 2]),
    );
    expect(new Set(vectors.verdicts.map(({ verdict }) => verdict.decision))).toEqual(
      new Set(["APPROVED", "REJECTED", "UNDECIDED"]),
    );
  });
});
