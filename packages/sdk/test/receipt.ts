// Receipts in the service's format, signed by a verifier of the test.
import {
  attest,
  domainOf,
  hashData,
  hashIntent,
  hashProposal,
  hashReport,
  hashPayload,
  hashSealedProposal,
  hashShapedProposal,
  verdictTypedData,
  type Decision,
  type ProposalFields,
  type ShapedProposalFields,
  type ShapedVerdict,
  type Verdict,
  type WireDomain,
} from "@countersign/wire";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import type { Hex, Receipt } from "../src/types.ts";
import { noPayload } from "./no-payload.ts";
import type { Trust } from "../src/receipt/index.ts";

export const arbiter = privateKeyToAccount(generatePrivateKey());
const domain: WireDomain = { chainId: 11_155_111, inbox: `0x${"1b".repeat(20)}` };
export const trust: Trust = { ...domain, signer: arbiter.address };
export const word = (byte: string): Hex => `0x${byte.repeat(32)}`;
export const report = {
  decision: "PASS",
  reason: "It does what was asked.",
  nodes: [{ id: "a", status: "PASS" }],
};
export const terms = {
  escrow: `0x${"ea".repeat(20)}`,
  chainId: 1,
  executionType: 1,
  deadline: 1_800_000_000,
  salt: word("5a"),
} as const;
export const call = {
  to: `0x${"b0".repeat(20)}`,
  value: 10n ** 16n,
  data: "0xabcdef",
  userPrompt: "Pay Bob",
} as const;

type Made = {
  readonly decision?: Decision;
  readonly isSealed?: boolean;
  readonly by?: typeof arbiter;
  readonly over?: Partial<ProposalFields>;
  /** The installation that the verdict is signed for, if that is another than the proposal's. */
  readonly signedFor?: WireDomain;
  /** Members of the signed verdict that are not as in the proposal. */
  readonly signedOver?: Partial<Verdict>;
};

/** A receipt in the service's format, signed by the verifier. */
export async function makeReceipt({
  decision = "APPROVED",
  isSealed = false,
  by = arbiter,
  over,
  signedFor = domain,
  signedOver = {},
}: Made = {}): Promise<Receipt> {
  const ciphertext = "-----BEGIN PGP MESSAGE-----";
  const fields: ProposalFields = { ...terms, ...call, ...over };
  const { escrow, chainId, executionType, deadline, salt, to, value, data, userPrompt } = fields;
  const requestHash = isSealed
    ? hashSealedProposal(domain, { ...fields, ciphertext })
    : hashProposal(domain, fields);
  const verdict = {
    ...{ requestHash, escrow, chainId, to, value, decision },
    ...{ dataHash: hashData(data), intentHash: hashIntent(userPrompt) },
    ...{ reportHash: hashReport(report), issuedAt: deadline - 86_400, validUntil: deadline },
    ...signedOver,
  };
  const signature = await by.signTypedData(verdictTypedData(signedFor, verdict));
  const attestation = attest(signedFor, verdict, signature, by.address);
  const named = { shape: "tx", signingHash: null, ...noPayload };
  const written = { to, value: value.toString(), data, userPrompt, ciphertext: null, ...named };
  const sealed = { to: null, value: null, data: null, userPrompt: null, ciphertext, ...named };
  const receipt = {
    ...{ requestHash, domain: attest(domain, verdict, signature, by.address).domain, decision, attestation },
    proposal: { escrow, chainId, executionType, deadline, salt, ...(isSealed ? sealed : written) },
    ...{ report: isSealed ? null : report, reportHash: verdict.reportHash },
    service: { id: 1, inbox: by.address, fingerprint: "0x00" },
    ...{ envelope: null, registration: null, execution: null, settlement: null, teeProof: null },
  };
  return JSON.parse(JSON.stringify(receipt)) as Receipt;
}

type MadeShaped = {
  readonly isSealed?: boolean;
  readonly decision?: Decision;
  readonly by?: typeof arbiter;
  readonly over: ShapedProposalFields;
  /** Members of the signed verdict that are not as in the proposal. */
  readonly signedOver?: Partial<ShapedVerdict>;
};

/** A receipt about data to sign, of version 2 unless it is encrypted. */
export async function makeShapedReceipt({
  isSealed = false,
  decision = "APPROVED",
  by = arbiter,
  over: fields,
  signedOver = {},
}: MadeShaped): Promise<Receipt> {
  const { escrow, chainId, executionType, deadline, salt, payload, userPrompt } = fields;
  const ciphertext = "-----BEGIN PGP MESSAGE-----";
  const requestHash = isSealed
    ? hashSealedProposal(domain, { ...fields, ciphertext })
    : hashShapedProposal(domain, fields);
  const signingHash = hashPayload(payload);
  const verdict: ShapedVerdict = {
    ...{ requestHash, escrow, chainId, shape: payload.shape, signingHash, decision },
    ...{ intentHash: hashIntent(userPrompt), reportHash: hashReport(report) },
    ...{ issuedAt: deadline - 86_400, validUntil: deadline },
    ...signedOver,
  };
  const signature = await by.signTypedData(verdictTypedData(domain, verdict));
  const attestation = attest(domain, verdict, signature, by.address);
  const content = isSealed
    ? { ...noPayload, shape: payload.shape, userPrompt: null, ciphertext }
    : { ...noPayload, ...payload, userPrompt, ciphertext: null };
  const receipt = {
    ...{ requestHash, domain: domainOf(domain, isSealed ? "1" : "2"), decision, attestation },
    proposal: {
      ...{ escrow, chainId, executionType, deadline, salt, to: null, value: null, data: null },
      ...{ ...content, signingHash },
    },
    ...{ report: isSealed ? null : report, reportHash: verdict.reportHash },
    service: { id: 1, inbox: by.address, fingerprint: "0x00" },
    ...{ envelope: null, registration: null, execution: null, settlement: null, teeProof: null },
  };
  return JSON.parse(JSON.stringify(receipt)) as Receipt;
}
