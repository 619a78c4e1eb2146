// Verifies a receipt: recomputes every hash and compares it with what the reader already trusts, the installation and its
// signer.
import {
  hashData,
  hashIntent,
  hashReport,
  readAttestation,
  recoverAttestationSigner,
  verdictOf,
  type Attestation,
} from "@countersign/wire/receipt";
import type { Hex, Receipt } from "../types.ts";
import type { SignedPayload } from "./read-payload.ts";
import { hashOf, isSealed, payloadOf } from "./read-proposal.ts";

/** The trusted facts about an installation, from a source other than the receipt: see `fetchTrust`. */
export type Trust = {
  /** The home chain of the installation. */
  readonly chainId: number;
  /** Its Inbox contract there. */
  readonly inbox: Hex;
  /** The address that the verification service signs with, as the ServiceRegistry contract has it. */
  readonly signer: Hex;
};

/** The data that the verification service signed. Addresses and hashes are in lower case. */
export type SignedVerdict = SignedTransactionVerdict | SignedShapeVerdict;

/** Version 1: a verdict about a transaction. */
export type SignedTransactionVerdict = SignedTerms & {
  readonly to: Hex;
  readonly value: bigint;
  readonly dataHash: Hex;
};

/** Version 2: a verdict about data to sign or a batch of calls, bound to the exact hash of it. */
export type SignedShapeVerdict = SignedTerms & {
  readonly shape:
    "typedData" | "calls" | "safeTransaction" | "message" | "authorizationList" | "userOperation";
  /** The hash that is signed, such as the EIP-712 digest or the safeTxHash, or the hash of a batch. */
  readonly signingHash: Hex;
};

/** The members that every verdict has. */
export type SignedTerms = {
  readonly requestHash: Hex;
  readonly escrow: Hex;
  readonly chainId: number;
  readonly intentHash: Hex;
  readonly decision: "APPROVED" | "REJECTED" | "UNDECIDED";
  readonly reportHash: Hex;
  /** Unix seconds, as is `validUntil`. */
  readonly issuedAt: number;
  readonly validUntil: number;
};

/** The result of `verifyReceipt`. */
export type Verification =
  | {
      readonly isValid: true;
      readonly decision: SignedVerdict["decision"];
      readonly signer: Hex;
      readonly issuedAt: Date;
      /** The proposal's deadline. An expired receipt is still valid, so compare this yourself. */
      readonly validUntil: Date;
      readonly verdict: SignedVerdict;
    }
  | {
      readonly isValid: false;
      /** All problems, one sentence each. */
      readonly problems: readonly string[];
    };

const same = (one: unknown, other: string): boolean =>
  typeof one === "string" && one.toLowerCase() === other.toLowerCase();

const refused = (...problems: readonly string[]): Verification => ({ isValid: false, problems });

/**
 * Verifies the proposal, the verdict, the report and the signer, offline. It does not verify `registration`, `execution`,
 * `settlement` or `teeProof`: check those on chain. Accepts any input and never rejects.
 *
 * @example
 * const trust = await fetchTrust({ rpcUrl, serviceRegistry, inbox });
 * const result = await verifyReceipt(await countersign.receipt(requestHash), trust);
 * if (!result.isValid) console.error(result.problems.join(" "));
 */
export async function verifyReceipt(receipt: Receipt, trust: Trust): Promise<Verification> {
  try {
    return await verify(receipt, trust);
  } catch {
    return refused("Not a receipt: a member is missing or malformed.");
  }
}

async function verify(receipt: Receipt, trust: Trust): Promise<Verification> {
  const attestation = readAttestation(receipt.attestation);
  if (attestation === undefined)
    return refused(
      receipt.attestation === null
        ? "It has no signed verdict: verification did not finish in time."
        : "Its verdict is malformed: a member is missing or invalid.",
    );
  const payload = await payloadOf(receipt.proposal);
  const read: Read = { receipt, attestation, payload };
  const problems = [
    ...domainProblems(read, trust),
    ...requestProblems(read, trust),
    ...callProblems(read),
    ...reportProblems(receipt, attestation),
    ...(await signatureProblems(receipt, attestation, trust)),
  ];
  if (problems.length > 0) return refused(...problems);
  const verdict: SignedVerdict = verdictOf(attestation.verdict);
  return {
    isValid: true,
    decision: verdict.decision,
    signer: trust.signer,
    issuedAt: new Date(verdict.issuedAt * 1000),
    validUntil: new Date(verdict.validUntil * 1000),
    verdict,
  };
}

type Read = {
  readonly receipt: Receipt;
  readonly attestation: Attestation;
  /** Undefined for a transaction, and if the sender encrypted it. */
  readonly payload: SignedPayload | undefined;
};

/** Compares both domains with the trusted installation. The proposal has version 2 unless it is a transaction or encrypted. */
function domainProblems({ receipt: { domain }, attestation, payload }: Read, trust: Trust): string[] {
  const isTrusted = (
    { name, version, chainId, verifyingContract }: Receipt["domain"],
    versions: readonly string[],
  ): boolean =>
    name === "Countersign" &&
    versions.includes(version) &&
    chainId === trust.chainId &&
    same(verifyingContract, trust.inbox);
  const version = payload === undefined ? "1" : "2";
  return isTrusted(domain, [version]) && isTrusted(attestation.domain, ["1", "2"])
    ? []
    : ["It was signed for another installation: its chain or its Inbox contract differs."];
}

/** Compares the request hash with the proposal. */
function requestProblems({ receipt, attestation, payload }: Read, trust: Trust): string[] {
  const { verdict } = attestation;
  const problems: string[] = [];
  const hash = hashOf(receipt.proposal, trust, payload);
  if (hash === undefined) problems.push("Its proposal is malformed: a member is missing or invalid.");
  else if (!same(receipt.requestHash, hash)) problems.push("Its request hash does not match its proposal.");
  if (!same(receipt.requestHash, verdict.requestHash))
    problems.push("Its verdict belongs to another proposal: the request hash differs.");
  return problems;
}

/** Compares the verdict with the call and the request. If the sender encrypted them, only the sender can. */
function callProblems(read: Read): string[] {
  const { proposal } = read.receipt;
  const { verdict } = read.attestation;
  const { escrow, chainId, deadline, userPrompt } = proposal;
  const problems: string[] = [];
  const isCall = (isSealed(proposal) || isSigned(read)) && isNamed(proposal, verdict);
  if (!isCall || chainId !== verdict.chainId || !same(escrow, verdict.escrow))
    problems.push("Its verdict belongs to another call.");
  if (!isSealed(proposal) && !same(hashOrNot(hashIntent, userPrompt), verdict.intentHash))
    problems.push("Its verdict belongs to another request.");
  if (deadline !== verdict.validUntil) problems.push("Its verdict has another expiry than its proposal.");
  return problems;
}

/** Compares what would be signed: the call, or the shape and its hash. */
function isSigned({ receipt, attestation: { verdict }, payload }: Read): boolean {
  if ("shape" in verdict)
    return payload?.shape === verdict.shape && same(payload.signingHash, verdict.signingHash);
  const { to, value, data } = receipt.proposal;
  return (
    payload === undefined &&
    same(to, verdict.to) &&
    value === verdict.value &&
    same(hashOrNot(hashData, data), verdict.dataHash)
  );
}

/** Compares the shape and the hash that the receipt names. Receipts from before version 2 name none. */
function isNamed(
  { shape, signingHash }: Partial<Receipt["proposal"]>,
  verdict: Attestation["verdict"],
): boolean {
  if ("shape" in verdict)
    return (
      (shape === undefined || shape === verdict.shape) &&
      (signingHash === undefined || same(signingHash, verdict.signingHash))
    );
  return (shape === undefined || shape === "tx") && (signingHash === undefined || signingHash === null);
}

function hashOrNot(hash: (value: never) => Hex, value: unknown): Hex | undefined {
  try {
    return hash(value as never);
  } catch {
    return undefined;
  }
}

function reportProblems({ report, reportHash, decision }: Receipt, { verdict }: Attestation): string[] {
  const problems: string[] = [];
  if (decision !== verdict.decision) problems.push("Its verdict and the receipt have different decisions.");
  // There is no report if the sender encrypted the proposal.
  const isReport = report === null || same(hashOrNot(hashReport, report), verdict.reportHash);
  if (!isReport || (reportHash !== null && !same(reportHash, verdict.reportHash)))
    problems.push("Its report does not match the verdict's report hash.");
  return problems;
}

async function signatureProblems(
  { service }: Receipt,
  attestation: Attestation,
  { signer }: Trust,
): Promise<string[]> {
  const found = await recoverAttestationSigner(attestation).catch(() => undefined);
  if (found === undefined) return ["Its signature is malformed."];
  if (!same(found, signer)) return [`It was signed by ${found}, not by ${signer}.`];
  const isSaid = same(attestation.signer, signer) && (service === null || same(service.inbox, signer));
  return isSaid ? [] : ["It names another signer than the one that signed."];
}
