// Receipts in the service's format, signed by a verifier of the test.
import {
  attest,
  hashData,
  hashIntent,
  hashProposal,
  hashReport,
  hashSealedProposal,
  verdictTypedData,
  type Decision,
  type ProposalFields,
  type Verdict,
  type WireDomain,
} from "@countersign/wire";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import type { Hex, Receipt } from "../src/types.ts";
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
  const written = { to, value: value.toString(), data, userPrompt, ciphertext: null };
  const sealed = { to: null, value: null, data: null, userPrompt: null, ciphertext };
  const receipt = {
    ...{ requestHash, domain: attest(domain, verdict, signature, by.address).domain, decision, attestation },
    proposal: { escrow, chainId, executionType, deadline, salt, ...(isSealed ? sealed : written) },
    ...{ report: isSealed ? null : report, reportHash: verdict.reportHash },
    service: { id: 1, inbox: by.address, fingerprint: "0x00" },
    ...{ envelope: null, registration: null, execution: null, settlement: null, teeProof: null },
  };
  return JSON.parse(JSON.stringify(receipt)) as Receipt;
}
