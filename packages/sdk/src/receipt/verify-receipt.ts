// Is a receipt what it says? Everything is computed anew from what it holds, and compared with what its reader knows
// already: which installation it should come from, and who should have signed.
import {
  hashData,
  hashIntent,
  hashReport,
  readAttestation,
  recoverAttestationSigner,
  type Attestation,
} from "@countersign/wire";
import type { Hex, Receipt } from "../types.ts";
import { hashOf, isSealed } from "./read-proposal.ts";

/** What the reader knows of the installation from elsewhere. The receipt's own word for it proves nothing. */
export type Trust = {
  /** The home chain of the installation. */
  readonly chainId: number;
  /** Its Inbox contract there. */
  readonly inbox: Hex;
  /** The address that the verification service signs with, as the ServiceRegistry contract has it. */
  readonly signer: Hex;
};

/** What the arbiter signed. Addresses and hashes are in lower case. */
export type SignedVerdict = {
  readonly requestHash: Hex;
  readonly escrow: Hex;
  readonly chainId: number;
  readonly to: Hex;
  readonly value: bigint;
  readonly dataHash: Hex;
  readonly intentHash: Hex;
  readonly decision: "APPROVED" | "REJECTED" | "UNDECIDED";
  readonly reportHash: Hex;
  /** Unix seconds, as is `validUntil`. */
  readonly issuedAt: number;
  readonly validUntil: number;
};

export type Verification =
  | {
      readonly isValid: true;
      readonly decision: SignedVerdict["decision"];
      readonly signer: Hex;
      readonly issuedAt: Date;
      /** The proposal's deadline. Whether it is past is for you to see: a receipt is looked at years later too. */
      readonly validUntil: Date;
      readonly verdict: SignedVerdict;
    }
  | {
      readonly isValid: false;
      /** Each a sentence; all that was found, not the first alone. */
      readonly problems: readonly string[];
    };

const same = (one: unknown, other: string): boolean =>
  typeof one === "string" && one.toLowerCase() === other.toLowerCase();

const refused = (...problems: readonly string[]): Verification => ({ isValid: false, problems });

/**
 * Covers the proposal, the verdict, the report and who signed. Not what became of it since (`registration`, `execution`,
 * `settlement`), nor `teeProof`: for these there is the service's word, or the chain's. Answers anything at all, and
 * never rejects.
 */
export async function verifyReceipt(receipt: Receipt, trust: Trust): Promise<Verification> {
  try {
    return await verify(receipt, trust);
  } catch {
    return refused("It is not a receipt: a member is missing or has another form.");
  }
}

async function verify(receipt: Receipt, trust: Trust): Promise<Verification> {
  const attestation = readAttestation(receipt.attestation);
  if (attestation === undefined)
    return refused(
      receipt.attestation === null
        ? "It holds no signed verdict: nobody has judged this, or not in time."
        : "Its verdict is not one: a member is missing or has another form.",
    );
  const problems = [
    ...domainProblems(receipt, attestation, trust),
    ...requestProblems(receipt, attestation, trust),
    ...callProblems(receipt, attestation),
    ...reportProblems(receipt, attestation),
    ...(await signatureProblems(receipt, attestation, trust)),
  ];
  if (problems.length > 0) return refused(...problems);
  const verdict: SignedVerdict = { ...attestation.verdict, value: BigInt(attestation.verdict.value) };
  return {
    isValid: true,
    decision: verdict.decision,
    signer: trust.signer,
    issuedAt: new Date(verdict.issuedAt * 1000),
    validUntil: new Date(verdict.validUntil * 1000),
    verdict,
  };
}

/** Both places where it says which installation it is of. */
function domainProblems({ domain }: Receipt, attestation: Attestation, trust: Trust): string[] {
  const isTrusted = ({ name, version, chainId, verifyingContract }: Receipt["domain"]): boolean =>
    name === "Countersign" &&
    version === "1" &&
    chainId === trust.chainId &&
    same(verifyingContract, trust.inbox);
  return isTrusted(domain) && isTrusted(attestation.domain)
    ? []
    : ["It was signed for another installation: its chain or its Inbox contract differs."];
}

/** Is the hash that of the proposal? */
function requestProblems(receipt: Receipt, { verdict }: Attestation, trust: Trust): string[] {
  const problems: string[] = [];
  const hash = hashOf(receipt.proposal, trust);
  if (hash === undefined) problems.push("Its proposal is not one: a member is missing or has another form.");
  else if (!same(receipt.requestHash, hash)) problems.push("Its request hash is not that of its proposal.");
  if (!same(receipt.requestHash, verdict.requestHash))
    problems.push("Its verdict is about another proposal: the request hash differs.");
  return problems;
}

/** Is the verdict about this very call and these very words? Of what the sender sealed, only they know those. */
function callProblems({ proposal }: Receipt, { verdict }: Attestation): string[] {
  const { escrow, chainId, deadline, to, value, data, userPrompt } = proposal;
  const problems: string[] = [];
  const isCall =
    isSealed(proposal) ||
    (same(to, verdict.to) && value === verdict.value && same(hashOrNot(hashData, data), verdict.dataHash));
  if (!isCall || chainId !== verdict.chainId || !same(escrow, verdict.escrow))
    problems.push("Its verdict is about another call.");
  if (!isSealed(proposal) && !same(hashOrNot(hashIntent, userPrompt), verdict.intentHash))
    problems.push("Its verdict is about other words.");
  if (deadline !== verdict.validUntil) problems.push("Its verdict holds until another time.");
  return problems;
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
  if (decision !== verdict.decision) problems.push("Its verdict says something else than the receipt.");
  // Never kept of what the sender sealed.
  const isReport = report === null || same(hashOrNot(hashReport, report), verdict.reportHash);
  if (!isReport || (reportHash !== null && !same(reportHash, verdict.reportHash)))
    problems.push("Its report is not the one that the verdict was given on.");
  return problems;
}

async function signatureProblems(
  { service }: Receipt,
  attestation: Attestation,
  { signer }: Trust,
): Promise<string[]> {
  const found = await recoverAttestationSigner(attestation).catch(() => undefined);
  if (found === undefined) return ["Its signature is none that a key could have made."];
  if (!same(found, signer)) return [`It was signed by ${found}, and not by ${signer}.`];
  const isSaid = same(attestation.signer, signer) && (service === null || same(service.inbox, signer));
  return isSaid ? [] : ["It names somebody else as its signer than who signed."];
}
