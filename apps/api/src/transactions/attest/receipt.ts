// Everything needed to check a verdict independently of this service.
import { domainOf, type WireDomain } from "@countersign/wire";
import { cidOf, readEnvelope } from "@countersign/wire/envelope";
import { z } from "zod";
import { shown } from "../../accounts/index.ts";
import { isServer, type Caller } from "../caller.ts";
import type { Services } from "../decide/check-attestation.ts";
import { readBundle } from "../decide/check-bundle.ts";
import { transactionErrors } from "../errors.ts";
import { NeedsOwner } from "../grant/needs-owner.ts";
import { PolicyDecision } from "../grant/policy-decision.ts";
import type { ReadTransaction } from "../record/read-transactions.ts";
import { unixSeconds } from "../record/seal.ts";
import type { Decided, StoredBundle, TransactionStore } from "../store/index.ts";
import type { Hex, Transaction } from "../transaction.ts";
import { Signed, signedOf } from "../record/transaction-record.ts";
import { payloadView, PayloadView } from "../record/payload-view.ts";
import { ContextLogs, MandateId } from "../record/views.ts";

const Members = z.record(z.string(), z.unknown());

const Bundle = z
  .object({
    version: z.literal(1),
    hash: z.string().meta({
      description: "keccak256 of the request's RFC 8785 text: `context.inputs.hash` of the report.",
    }),
    request: Members.meta({ description: "The request to the validator, with the proven state." }),
  })
  .meta({ id: "Bundle", description: "The inputs of a verdict, to repeat it." });

export const Receipt = z
  .object({
    requestHash: z.string(),
    domain: z
      .object({ name: z.string(), version: z.string(), chainId: z.number(), verifyingContract: z.string() })
      .meta({ description: "The EIP-712 domain of requestHash and verdict." }),
    proposal: z
      .object({
        escrow: z.string(),
        chainId: z.number(),
        to: z.string().nullable(),
        value: z.string().nullable(),
        data: z.string().nullable(),
        ...Signed.shape,
        ...PayloadView.shape,
        userPrompt: z.string().nullable(),
        ciphertext: z.string().nullable(),
        executionType: z.number(),
        deadline: z.number().meta({ description: "Unix seconds" }),
        salt: z.string(),
      })
      .meta({
        description: "The input of requestHash: the content, or the ciphertext that the sender encrypted.",
      }),
    envelope: z
      .object({ digest: z.string(), cid: z.string() })
      .nullable()
      .meta({ description: "The encrypted payload on IPFS. Null if it was never encrypted." }),
    decision: z.string(),
    attestation: Members.nullable().meta({ description: "The signed verdict. Null if it is not signed." }),
    report: Members.nullable().meta({
      description: "The validator's answer. Never stored for payloads that the sender encrypted.",
    }),
    reportHash: z.string().nullable(),
    needsOwner: NeedsOwner.nullable(),
    mandateId: MandateId,
    policyDecision: PolicyDecision.nullable(),
    service: z.object({ id: z.number(), inbox: z.string(), fingerprint: z.string() }).nullable(),
    registration: z
      .object({
        chainId: z.number(),
        transactionHash: z.string().nullable(),
        root: z.string().nullable().meta({
          description:
            "The root that the transaction recorded. Null for a proposal that was recorded alone, or not yet.",
        }),
        proof: z
          .array(z.string())
          .nullable()
          .meta({ description: "Leads from the proposal's request hash, digest and service to the root." }),
      })
      .nullable(),
    execution: z
      .object({
        chainId: z.number(),
        transactionHash: z.string(),
        blockNumber: z.string(),
        blockHash: z.string(),
      })
      .nullable(),
    contextLogs: ContextLogs,
    settlement: Members.nullable(),
    teeProof: Members.nullable().meta({
      description: "As the verification service sent it. Not checked by this service.",
    }),
    bundle: Bundle.nullable().optional().meta({
      description:
        "Only with `bundle=1`. Null if no inputs were stored: the sender encrypted the payload, they are too large, or the verdict was made without the validator.",
    }),
  })
  .meta({
    id: "Receipt",
    description:
      "The proof of a verdict: the proposal, the signed attestation, the report and the registration.",
  });

type Receipt = z.infer<typeof Receipt>;

type Parts = Pick<Services, "findService"> & {
  readonly store: Pick<TransactionStore, "readSealing" | "readReport" | "readMetadata" | "readContextLogs">;
  /** How it was recorded on the home chain, as far as known. */
  readonly findRegistration: FindRegistration;
  readonly domain: WireDomain;
};

export type RegistrationProof = {
  readonly transactionHash: Hex | null;
  readonly root: Hex | null;
  readonly proof: readonly Hex[] | null;
};
export type FindRegistration = (of: Pick<Transaction, "id" | "requestHash">) => Promise<RegistrationProof>;

function ciphertextOf({ form }: Transaction, envelope: Uint8Array | null | undefined): string | null {
  if (form !== "sealed" || envelope === null || envelope === undefined) return null;
  return readEnvelope(envelope)?.ciphertext ?? null;
}

function proposalOf(transaction: Transaction, envelope: Uint8Array | null | undefined): Receipt["proposal"] {
  const { form, tx, escrow, chainId, description, executionType, deadline, salt } = transaction;
  return {
    escrow: shown(escrow),
    chainId,
    to: tx === null ? null : shown(tx.to),
    value: tx === null ? null : tx.value.toString(),
    data: tx?.data ?? null,
    ...signedOf(transaction),
    ...payloadView(transaction),
    userPrompt: form === "sealed" ? null : description,
    ciphertext: ciphertextOf(transaction, envelope),
    executionType,
    deadline: unixSeconds(deadline),
    salt,
  };
}

/** The request hash of an encrypted payload covers its ciphertext, in version 1, whatever its shape. */
const versionOf = ({ form, shape }: Transaction) => (form === "sealed" || shape === null ? "1" : "2");

const executionOf = ({ execution, chainId }: Transaction): Receipt["execution"] =>
  execution === null
    ? null
    : {
        chainId,
        transactionHash: execution.hash,
        blockNumber: execution.block.toString(),
        blockHash: execution.blockHash,
      };

const mutable = ({ proof, ...rest }: RegistrationProof) => ({
  ...rest,
  proof: proof === null ? null : [...proof],
});

const envelopeOf = ({ contentDigest: digest }: Transaction): Receipt["envelope"] =>
  digest === null ? null : { digest, cid: cidOf(digest) };

/** Writes the receipt of a transaction, without asking who may read it. Throws if there is no verdict yet. */
export const makeWriteReceipt = (parts: Parts) => {
  const { store, findService, findRegistration, domain } = parts;
  const serviceOf = async ({ serviceId }: Transaction): Promise<Receipt["service"]> => {
    const service = serviceId === null ? undefined : await findService(serviceId);
    if (service === undefined) return null;
    return { id: service.id, inbox: shown(service.inbox), fingerprint: service.fingerprint };
  };
  return async function writeReceipt({ transaction, approvals }: Decided): Promise<Receipt> {
    const { requestHash } = transaction;
    const verdict = approvals.find(({ kind }) => kind === "orion");
    if (verdict === undefined) throw transactionErrors.noVerdict();
    const sealing = await store.readSealing(requestHash);
    const report = await store.readReport(transaction.id);
    const { teeProof, settlement } = await store.readMetadata(transaction.id);
    return {
      requestHash,
      domain: domainOf(domain, versionOf(transaction)),
      proposal: proposalOf(transaction, sealing?.envelope),
      envelope: envelopeOf(transaction),
      decision: verdict.decision,
      attestation: verdict.attestation as Receipt["attestation"],
      report: (report as Receipt["report"] | undefined) ?? null,
      reportHash: verdict.reportHash,
      needsOwner: transaction.needsOwner,
      mandateId: transaction.mandateId,
      policyDecision: transaction.policyDecision,
      service: await serviceOf(transaction),
      // A proposal that is never registered on the chain has no registration.
      registration:
        transaction.form === "unsealed"
          ? null
          : { chainId: domain.chainId, ...mutable(await findRegistration(transaction)) },
      execution: executionOf(transaction),
      contextLogs: await store.readContextLogs(transaction.id),
      settlement: settlement,
      teeProof: teeProof,
    };
  };
};

/** Returns the receipt of a verdict to callers who may read the transaction. */
export const makeReadReceipt = ({
  readTransaction,
  ...parts
}: Parts & { readonly readTransaction: ReadTransaction }) => {
  const writeReceipt = makeWriteReceipt(parts);
  return async (requestHash: Hex, caller: Caller): Promise<Receipt> =>
    writeReceipt(await readTransaction(requestHash, caller));
};

type BundleParts = {
  readonly store: Pick<TransactionStore, "find" | "readBundle">;
  readonly readReceipt: ReturnType<typeof makeReadReceipt>;
};

/** Returns the receipt with the inputs of the verdict. Throws for server keys: the inputs are for the owner. */
export const makeReadReceiptWithBundle =
  ({ store, readReceipt }: BundleParts) =>
  async (requestHash: Hex, caller: Caller): Promise<Receipt> => {
    const receipt = await readReceipt(requestHash, caller);
    if (isServer(caller)) throw transactionErrors.bundleNotYours();
    const transaction = await store.find(requestHash);
    const stored = transaction === undefined ? undefined : await store.readBundle(transaction.id);
    return withBundle(receipt, stored);
  };

/** Adds the inputs of the verdict to a receipt. */
export const withBundle = (receipt: Receipt, stored: StoredBundle | undefined): Receipt => ({
  ...receipt,
  bundle: stored === undefined ? null : bundleOf(stored),
});

const bundleOf = ({ hash, content }: StoredBundle): Receipt["bundle"] => ({
  version: 1,
  hash,
  request: Members.parse(readBundle(content)),
});
