// A signed verdict as JSON, with everything needed to verify it offline.
import type { Hex } from "viem";
import { recoverAddress } from "viem/utils";
import { domainOf, type TypedDomain, type WireDomain } from "./domain.ts";
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
import { decisionCodes, hashVerdict, type Decision, type Verdict } from "./verdict.ts";

/** The verdict as JSON can hold it: the value is a decimal string, since a JSON number would lose digits. */
export type WrittenVerdict = Omit<Verdict, "value"> & { readonly value: string };

export type Attestation = {
  readonly domain: TypedDomain;
  readonly verdict: WrittenVerdict;
  readonly signature: Hex;
  /** Who claims to have signed; `recoverAttestationSigner` says who did. */
  readonly signer: Hex;
};

/** `attest(domain, verdict, await account.signTypedData(verdictTypedData(domain, verdict)), account.address)`. */
export const attest = (domain: WireDomain, verdict: Verdict, signature: Hex, signer: Hex): Attestation => ({
  domain: domainOf(domain),
  verdict: {
    requestHash: lowerCase(verdict.requestHash),
    escrow: lowerCase(verdict.escrow),
    chainId: verdict.chainId,
    to: lowerCase(verdict.to),
    value: verdict.value.toString(),
    dataHash: lowerCase(verdict.dataHash),
    intentHash: lowerCase(verdict.intentHash),
    decision: verdict.decision,
    reportHash: lowerCase(verdict.reportHash),
    issuedAt: verdict.issuedAt,
    validUntil: verdict.validUntil,
  },
  signature: lowerCase(signature),
  signer: lowerCase(signer),
});

/**
 * Undefined for anything that is not an attestation. Members it does not know are left out of the answer: no signature
 * covers them. Addresses come back in lower case. Says nothing yet about who signed.
 */
export const readAttestation = (json: unknown): Attestation | undefined =>
  readMembers<Attestation>(json, {
    domain: (domain) =>
      readMembers<TypedDomain>(domain, {
        name: readLiteral("Countersign"),
        version: readLiteral("1"),
        chainId: readCount,
        verifyingContract: readAddress,
      }),
    verdict: readVerdict,
    signature: readSignature,
    signer: readAddress,
  });

const readVerdict = (json: unknown): WrittenVerdict | undefined =>
  readMembers<WrittenVerdict>(json, {
    requestHash: readWord,
    escrow: readAddress,
    chainId: readCount,
    to: readAddress,
    value: readUint256,
    dataHash: readWord,
    intentHash: readWord,
    decision: readDecision,
    reportHash: readWord,
    issuedAt: readCount,
    validUntil: readCount,
  });

const decisions = Object.keys(decisionCodes) as readonly Decision[];
const readDecision = (json: unknown): Decision | undefined => decisions.find((decision) => decision === json);

/**
 * Returns the address, in lower case, that signed exactly this verdict in this domain. Compare it with the address that
 * you expect of the service, not with the one in the attestation. Rejects on a malformed signature.
 */
export async function recoverAttestationSigner({ domain, verdict, signature }: Attestation): Promise<Hex> {
  const home = { chainId: domain.chainId, inbox: domain.verifyingContract };
  const hash = hashVerdict(home, { ...verdict, value: BigInt(verdict.value) });
  return lowerCase(await recoverAddress({ hash, signature }));
}
