// A signed verdict as JSON, with everything needed to verify it offline.
import type { Hex } from "viem";
import { recoverAddress } from "viem/utils";
import { domainOf, type TypedDomain, type WireDomain, type WireVersion } from "./domain.ts";
import { lowerCase } from "./encode.ts";
import {
  readAddress,
  readCount,
  readLiteral,
  readMembers,
  readSignature,
  readUint256,
  readWord,
} from "./read-json.ts";
import { shapes, type Shape } from "./shape-names.ts";
import { decisionCodes, hashVerdict, type Decision, type ShapedVerdict, type Verdict } from "./verdict.ts";

/** The verdict as JSON can hold it: the value is a decimal string, since a JSON number would lose digits. */
export type WrittenVerdict = Omit<Verdict, "value"> & { readonly value: string };

export type Attestation = {
  readonly domain: TypedDomain;
  /** Of version 1 or 2, as the domain says. */
  readonly verdict: WrittenVerdict | ShapedVerdict;
  readonly signature: Hex;
  /** Who claims to have signed; `recoverAttestationSigner` says who did. */
  readonly signer: Hex;
};

/** `attest(domain, verdict, await account.signTypedData(verdictTypedData(domain, verdict)), account.address)`. */
export const attest = (
  domain: WireDomain,
  verdict: Verdict | ShapedVerdict,
  signature: Hex,
  signer: Hex,
): Attestation => ({
  domain: domainOf(domain, versionOf(verdict)),
  verdict: {
    requestHash: lowerCase(verdict.requestHash),
    escrow: lowerCase(verdict.escrow),
    chainId: verdict.chainId,
    ...subjectOf(verdict),
    intentHash: lowerCase(verdict.intentHash),
    decision: verdict.decision,
    reportHash: lowerCase(verdict.reportHash),
    issuedAt: verdict.issuedAt,
    validUntil: verdict.validUntil,
  },
  signature: lowerCase(signature),
  signer: lowerCase(signer),
});

const versionOf = (verdict: object): WireVersion => ("shape" in verdict ? "2" : "1");

const subjectOf = (verdict: Verdict | ShapedVerdict) =>
  "shape" in verdict
    ? { shape: verdict.shape, signingHash: lowerCase(verdict.signingHash) }
    : {
        to: lowerCase(verdict.to),
        value: verdict.value.toString(),
        dataHash: lowerCase(verdict.dataHash),
      };

/**
 * Undefined for anything that is not an attestation. Members it does not know are left out of the answer: no signature
 * covers them. Addresses come back in lower case. Says nothing yet about who signed.
 */
export const readAttestation = (json: unknown): Attestation | undefined =>
  readVersion(json, "1", readVerdict) ?? readVersion(json, "2", readShapedVerdict);

const readVersion = (
  json: unknown,
  version: WireVersion,
  read: (json: unknown) => Attestation["verdict"] | undefined,
): Attestation | undefined =>
  readMembers<Attestation>(json, {
    domain: (domain) =>
      readMembers<TypedDomain>(domain, {
        name: readLiteral("Countersign"),
        version: readLiteral(version),
        chainId: readCount,
        verifyingContract: readAddress,
      }),
    verdict: read,
    signature: readSignature,
    signer: readAddress,
  });

const readDecision = (json: unknown): Decision | undefined => decisions.find((decision) => decision === json);
const readShape = (json: unknown): Shape | undefined => shapes.find((shape) => shape === json);

const common = {
  requestHash: readWord,
  escrow: readAddress,
  chainId: readCount,
  intentHash: readWord,
  decision: readDecision,
  reportHash: readWord,
  issuedAt: readCount,
  validUntil: readCount,
};

const readVerdict = (json: unknown): WrittenVerdict | undefined =>
  readMembers<WrittenVerdict>(json, { ...common, to: readAddress, value: readUint256, dataHash: readWord });

const readShapedVerdict = (json: unknown): ShapedVerdict | undefined =>
  readMembers<ShapedVerdict>(json, { ...common, shape: readShape, signingHash: readWord });

const decisions = Object.keys(decisionCodes) as readonly Decision[];

/**
 * Returns the address, in lower case, that signed exactly this verdict in this domain. Compare it with the address that
 * you expect of the service, not with the one in the attestation. Rejects on a malformed signature.
 */
export async function recoverAttestationSigner({ domain, verdict, signature }: Attestation): Promise<Hex> {
  const home = { chainId: domain.chainId, inbox: domain.verifyingContract };
  const hash = hashVerdict(home, verdictOf(verdict));
  return lowerCase(await recoverAddress({ hash, signature }));
}

/** Returns the verdict with its value as a bigint. */
export const verdictOf = (written: Attestation["verdict"]): Verdict | ShapedVerdict =>
  "shape" in written ? written : { ...written, value: BigInt(written.value) };
