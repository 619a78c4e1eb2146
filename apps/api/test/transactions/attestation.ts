// Verdicts as a verification service signs them. Imports no part of the service, so that unit tests stay fast.
import type { PrivateKeyAccount } from "viem/accounts";
import {
  attest,
  hashData,
  hashIntent,
  hashReport,
  verdictTypedData,
  type Attestation,
  type ShapedVerdict,
  type Verdict,
  type WrittenVerdict,
  type WireDomain,
} from "@countersign/wire";
import type { Transaction } from "../../src/transactions/transaction.ts";

export const domain: WireDomain = { chainId: 11_155_111, inbox: `0x${"1b".repeat(20)}` };

export const aReport = (more: object = {}): Record<string, unknown> => ({
  decision: "PASS",
  reason: "all checks passed",
  protocol: "uniswap-v3",
  primary_failure_node: null,
  results: { "intent_alignment.amount": { status: "PASS", confidence: 0.97, details: {} } },
  assessment: { kind: "entailed", unread: [], missing: [], restated: "" },
  context: {
    limit: null,
    calls: [{ call: "proposed_tx", known: true, calls: [] }],
    effects: [{ act: "transfer", gives: [{ kind: "native", symbol: "ETH" }] }],
  },
  ...more,
});

type About = Pick<
  Transaction,
  "requestHash" | "escrow" | "chainId" | "description" | "deadline" | "shape" | "signingHash"
>;

/** Signs a verdict about data to sign, as orion does. */
export async function aShapedAttestation(
  transaction: About,
  wallet: PrivateKeyAccount,
  changes: Partial<ShapedVerdict> & { readonly domain?: WireDomain } = {},
): Promise<Attestation> {
  const { domain: home = domain, ...more } = changes;
  const { requestHash, escrow, chainId, description, deadline, shape, signingHash } = transaction;
  const verdict: ShapedVerdict = {
    ...{ requestHash, escrow, chainId, intentHash: hashIntent(description), decision: "APPROVED" },
    ...{ shape: shape ?? "typedData", signingHash: signingHash ?? `0x${"55".repeat(32)}` },
    ...{ reportHash: hashReport(aReport()), issuedAt: 1_800_000_000, validUntil: deadline.getTime() / 1000 },
    ...more,
  };
  const signature = await wallet.signTypedData(verdictTypedData(home, verdict));
  return attest(home, verdict, signature, wallet.address);
}

/** Signs a verdict about a transaction, as orion does. */
export async function anAttestation(
  transaction: Transaction,
  wallet: PrivateKeyAccount,
  changes: Partial<Verdict> & { readonly domain?: WireDomain } = {},
): Promise<Attestation & { readonly verdict: WrittenVerdict }> {
  const { domain: home = domain, ...more } = changes;
  const { requestHash, escrow, chainId, tx, description, deadline } = transaction;
  const verdict: Verdict = {
    requestHash,
    escrow,
    chainId,
    to: tx?.to ?? `0x${"22".repeat(20)}`,
    value: tx?.value ?? 7n,
    dataHash: hashData(tx?.data ?? "0xabcd"),
    intentHash: hashIntent(description),
    decision: "APPROVED",
    reportHash: hashReport(aReport()),
    issuedAt: 1_800_000_000,
    validUntil: deadline.getTime() / 1000,
    ...more,
  };
  const signature = await wallet.signTypedData(verdictTypedData(home, verdict));
  const attestation = attest(home, verdict, signature, wallet.address);
  return { ...attestation, verdict: attestation.verdict as WrittenVerdict };
}
