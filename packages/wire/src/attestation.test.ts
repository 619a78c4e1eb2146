import fc from "fast-check";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { describe, expect, test } from "vitest";
import {
  attest,
  decisionCodes,
  hashVerdict,
  readAttestation,
  recoverAttestationSigner,
  verdictTypedData,
  type Attestation,
  type WrittenVerdict,
  type Hex,
  type Verdict,
} from "./index.ts";
import { aDomain, anyDomain, anyTwoThatDifferInOne, aVerdict, verdictArbitraries } from "../test/index.ts";

const account = privateKeyToAccount(generatePrivateKey());
const signer = account.address.toLowerCase();

const sign = async (verdict: Verdict): Promise<Attestation> =>
  attest(aDomain, verdict, await account.signTypedData(verdictTypedData(aDomain, verdict)), account.address);

const copyOf = (attestation: Attestation): Attestation =>
  JSON.parse(JSON.stringify(attestation)) as Attestation;

describe("a verdict", () => {
  test("has another digest with any one field changed", () => {
    fc.assert(
      fc.property(anyDomain, anyTwoThatDifferInOne<Verdict>(verdictArbitraries), (domain, pair) => {
        expect(hashVerdict(domain, pair.one)).not.toBe(hashVerdict(domain, pair.other));
      }),
    );
  });

  test("has no decision with the code zero", () => {
    expect(decisionCodes).toEqual({ APPROVED: 1, REJECTED: 2, UNDECIDED: 3 });
  });
});

describe("an attestation", () => {
  test("names its signer after a journey through JSON, whatever the verdict", async () => {
    await fc.assert(
      fc.asyncProperty(fc.record(verdictArbitraries), async (verdict) => {
        const attestation = await sign(verdict);
        const read = readAttestation(copyOf(attestation));
        expect(read).toEqual(attestation);
        expect(read && (await recoverAttestationSigner(read))).toBe(signer);
      }),
      { numRuns: 20 },
    );
  });

  test("recovers another address if any member of the verdict or the domain changes", async () => {
    const attestation = await sign(aVerdict);
    const word: Hex = `0x${"ff".repeat(32)}`;
    const address: Hex = `0x${"ff".repeat(20)}`;
    const changes: WrittenVerdict = {
      requestHash: word,
      escrow: address,
      chainId: 2,
      to: address,
      value: "1",
      dataHash: word,
      intentHash: word,
      decision: "REJECTED",
      reportHash: word,
      issuedAt: 1,
      validUntil: 1,
    };
    for (const [name, value] of Object.entries(changes)) {
      const changed = { ...attestation, verdict: { ...attestation.verdict, [name]: value } };
      expect(await recoverAttestationSigner(changed), name).not.toBe(signer);
    }
    for (const change of [{ chainId: 2 }, { verifyingContract: address }]) {
      const changed = { ...attestation, domain: { ...attestation.domain, ...change } };
      expect(await recoverAttestationSigner(changed)).not.toBe(signer);
    }
  });

  test("is read with addresses in any letter case, and without members that no signature covers", async () => {
    const attestation = await sign(aVerdict);
    const { domain, verdict } = attestation;
    const read = readAttestation({
      ...attestation,
      signer: account.address,
      domain: { ...domain, salt: "0x00" },
      verdict: {
        ...verdict,
        note: "APPROVED for everything",
        escrow: `0x${verdict.escrow.slice(2).toUpperCase()}`,
      },
      comment: "trust me",
    });
    expect(read).toEqual(attestation);
  });

  test("is refused when a member is missing or of another kind", async () => {
    const attestation = await sign(aVerdict);
    const wrong = [
      undefined,
      null,
      "",
      "0x",
      1.5,
      -1,
      2 ** 53,
      "01",
      "-1",
      "1e3",
      (2n ** 256n).toString(),
      [],
      {},
    ];
    for (const name of ["domain", "verdict", "signature", "signer"]) {
      for (const value of wrong)
        expect(readAttestation({ ...attestation, [name]: value }), name).toBeUndefined();
    }
    for (const part of ["domain", "verdict"] as const) {
      for (const name of Object.keys(attestation[part])) {
        for (const value of wrong) {
          const changed = { ...attestation, [part]: { ...attestation[part], [name]: value } };
          expect(readAttestation(changed), `${part}.${name}: ${JSON.stringify(value)}`).toBeUndefined();
        }
      }
    }
  });

  test("is refused under another name or version", async () => {
    const { domain, ...rest } = await sign(aVerdict);
    expect(readAttestation({ ...rest, domain: { ...domain, name: "Other" } })).toBeUndefined();
    expect(readAttestation({ ...rest, domain: { ...domain, version: "2" } })).toBeUndefined();
  });

  test("is refused with a second form of the same signature", async () => {
    const attestation = await sign(aVerdict);
    const { signature } = attestation;
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
    const highS = (order - BigInt(`0x${signature.slice(66, 130)}`)).toString(16).padStart(64, "0");
    const otherV = signature.endsWith("1b") ? "1c" : "1b";
    const forms: Record<string, string> = {
      highS: `${signature.slice(0, 66)}${highS}${otherV}`,
      bareParity: `${signature.slice(0, 130)}${signature.endsWith("1b") ? "00" : "01"}`,
      compact: signature.slice(0, 130),
    };
    for (const [form, other] of Object.entries(forms)) {
      expect(readAttestation({ ...attestation, signature: other }), form).toBeUndefined();
    }
  });

  test("is never made out of arbitrary JSON, and reading it never throws", () => {
    fc.assert(
      fc.property(fc.anything(), (json) => {
        expect(readAttestation(json)).toBeUndefined();
      }),
    );
  });
});
