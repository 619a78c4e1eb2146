// Our own code against the committed vectors. vectors-by-ethers.test.ts and contracts/test/Wire.t.sol compute the same
// without any of our code; a vector that changes breaks everybody who ever stored a hash.
import { hashTypedData } from "viem/utils";
import { describe, expect, test } from "vitest";
import vectors from "../vectors.json" with { type: "json" };
import { cidOf, digestOf, digestOfCid, writeRegistrations } from "./envelope/index.ts";
import {
  attest,
  hashData,
  hashIntent,
  hashPayload,
  hashProposal,
  hashSealedProposal,
  hashShapedProposal,
  hashVerdict,
  intentTypedData,
  parsePayload,
  readAttestation,
  recoverAttestationSigner,
  registrationProof,
  registrationRoot,
  registrationRootFrom,
  type Decision,
  type ExecutionType,
  type Hex,
  type Shape,
  type ShapedVerdict,
} from "./index.ts";

// TypeScript reads JSON's strings as any string and its numbers as any number.
type Typed<T, Name = ""> = Name extends "executionType"
  ? ExecutionType
  : Name extends "decision"
    ? Decision
    : Name extends "name" | "text" | "userPrompt" | "ciphertext" | "value" | "cid"
      ? T
      : T extends string
        ? Hex
        : { [Member in keyof T]: Typed<T[Member], Member> };
const { proposals, sealedProposals, verdicts, intents, cids, registrations } = vectors as unknown as Typed<
  typeof vectors
>;

describe("proposals", () => {
  test.each(proposals)("$name", ({ domain, fields, ...expected }) => {
    const proposal = { ...fields, value: BigInt(fields.value) };
    expect(hashData(fields.data)).toBe(expected.dataHash);
    expect(hashIntent(fields.userPrompt)).toBe(expected.intentHash);
    expect(hashProposal(domain, proposal)).toBe(expected.requestHash);
  });

  test("no two have the same request hash", () => {
    const hashes = [...proposals, ...sealedProposals].map(({ requestHash }) => requestHash);
    expect(new Set(hashes).size).toBe(hashes.length);
  });
});

describe("sealed proposals", () => {
  test.each(sealedProposals)("$name", ({ domain, fields, requestHash }) => {
    expect(hashSealedProposal(domain, fields)).toBe(requestHash);
  });
});

describe("verdicts", () => {
  test.each(verdicts)("$name", async ({ domain, verdict, digest, signature, signer }) => {
    const judged = { ...verdict, value: BigInt(verdict.value) };
    const attestation = attest(domain, judged, signature, signer);
    expect(hashVerdict(domain, judged)).toBe(digest);
    expect(readAttestation(attestation)).toEqual(attestation);
    expect(await recoverAttestationSigner(attestation)).toBe(signer);
  });
});

describe("proposals of version 2", () => {
  test.each(vectors.shapedProposals)("$name", ({ domain, fields, ...expected }) => {
    const { shape, executionType, salt, escrow, chainId, userPrompt, deadline, ...given } = fields;
    const payload = parsePayload(shape as Shape, Object.values(given)[0]);
    // The vectors are in canonical form.
    expect(payload).toEqual({ shape, ...given });
    expect(hashPayload(payload)).toBe(expected.signingHash);
    const proposal = {
      ...{ payload, chainId, userPrompt, deadline },
      ...{ escrow: escrow as Hex, salt: salt as Hex, executionType: executionType as ExecutionType },
    };
    expect(hashShapedProposal(domain as { chainId: number; inbox: Hex }, proposal)).toBe(
      expected.requestHash,
    );
  });
});

describe("verdicts of version 2", () => {
  test.each(vectors.shapedVerdicts)("$name", async ({ domain, verdict, digest, signature, signer }) => {
    const home = domain as { chainId: number; inbox: Hex };
    const attestation = attest(home, verdict as ShapedVerdict, signature as Hex, signer as Hex);
    expect(hashVerdict(home, verdict as ShapedVerdict)).toBe(digest);
    expect(readAttestation(attestation)).toEqual(attestation);
    expect(attestation.domain.version).toBe("2");
    expect(await recoverAttestationSigner(attestation)).toBe(signer);
  });

  test("are not read under the other version's domain", () => {
    const shaped = vectors.shapedVerdicts.map(({ domain, verdict, signature, signer }) =>
      attest(
        domain as { chainId: number; inbox: Hex },
        verdict as ShapedVerdict,
        signature as Hex,
        signer as Hex,
      ),
    );
    for (const attestation of shaped) {
      const verdict = { ...attestation.verdict, shape: "unknown" };
      expect(readAttestation({ ...attestation, verdict })).toBeUndefined();
    }
    for (const attestation of shaped)
      expect(
        readAttestation({ ...attestation, domain: { ...attestation.domain, version: "1" } }),
      ).toBeUndefined();
  });
});

describe("intents", () => {
  test.each(intents)("$name", ({ intent, digest }) => {
    expect(hashTypedData(intentTypedData(intent))).toBe(digest);
  });
});

describe("digests and CIDs", () => {
  test.each(cids)("$cid", ({ text, digest, cid }) => {
    expect(digestOf(new TextEncoder().encode(text))).toBe(digest);
    expect(cidOf(digest)).toBe(cid);
    expect(digestOfCid(cid)).toBe(digest);
  });
});

describe("registrations", () => {
  test.each(registrations)("$name", ({ inbox, entries, root, proofs, listDigest }) => {
    const given = { inbox, entries };
    expect(registrationRoot(given)).toBe(root);
    expect(digestOf(writeRegistrations(given))).toBe(listDigest);
    for (const [index, entry] of entries.entries()) {
      expect(registrationProof(given, entry.requestHash)).toEqual(proofs[index]);
      expect(registrationRootFrom(inbox, entry, proofs[index] ?? [])).toBe(root);
    }
  });
});
