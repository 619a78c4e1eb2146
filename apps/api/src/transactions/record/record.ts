// Gives the proposal its request hash, encrypts it if possible now, and stores it. 201 means durable; the flow pins
// it and registers it on the chain.
import { randomBytes } from "node:crypto";
import type { Clock } from "@countersign/platform/clock";
import { crashPoint } from "@countersign/platform/crash";
import { newId } from "@countersign/platform/ids";
import type { Log } from "@countersign/platform/log";
import { annotateSpan, requestHashIn } from "@countersign/platform/trace";
import { hashPayload, hashSealedProposal, type WireDomain } from "@countersign/wire";
import { digestOf, hashContent, writeEnvelope } from "@countersign/wire/envelope";
import type { Account } from "../../accounts/index.ts";
import type { Flows } from "../../platform/flows/index.ts";
import type { Idempotency, IdempotentRequest } from "../../platform/idempotency/index.ts";
import type { Transition } from "../transition.ts";
import { transactionErrors } from "../errors.ts";
import { begin, isPending, type Policy } from "../lifecycle.ts";
import type { OpenProposal, ProposalBody, SealedProposal } from "../proposal-body.ts";
import { contentOf, fitsEnvelope, seal, type Subject } from "./seal.ts";
import type { Changed, TransactionStore, Within } from "../store/index.ts";
import { recordOf, type TransactionRecord } from "./transaction-record.ts";
import {
  verificationFlow,
  type ExecutionType,
  type Extras,
  type Hex,
  type NewTransaction,
  type Transaction,
} from "../transaction.ts";
import type { VerificationService } from "./verification-service.ts";

type Parts = {
  readonly store: Pick<TransactionStore, "insert">;
  readonly transition: Pick<Transition, "changeWithin" | "announce">;
  readonly flows: Pick<Flows, "start">;
  readonly idempotency: Pick<Idempotency, "idempotently">;
  /** The domain of request hashes. */
  readonly domain: WireDomain;
  /** Notifies waiting requests in this process that something happened. */
  readonly poke: () => void;
  readonly clock: Clock;
  readonly log: Log;
};

/** A checked proposal, ready to be recorded. */
type Checked<Body extends ProposalBody = ProposalBody> = {
  readonly account: Account;
  readonly proposer: string;
  readonly executionType: ExecutionType;
  /** Unix seconds. */
  readonly deadline: number;
  readonly service: VerificationService | undefined;
  /** Whether the service sends it. Otherwise a wallet of its owner or agent does. */
  readonly isOursToSend: boolean;
  readonly body: Body;
};

export type Recorded = {
  readonly status: 201;
  readonly body: TransactionRecord;
  readonly headers?: Readonly<Record<string, string>>;
};

type Sealing = Pick<
  NewTransaction,
  "requestHash" | "description" | "tx" | "payload" | "signingHash" | "extras" | "envelope" | "contextLogs"
>;

const policyOf = ({ isOursToSend }: Checked): Policy => ({
  requireUser: false,
  adminMayApprove: false,
  external: !isOursToSend,
});

const sealedDescription = "(encrypted by the sender)";

const makeSalt = (): Hex => `0x${randomBytes(32).toString("hex")}`;

/** We never see its content: the envelope has the terms next to it. */
function wrap({ body, ...checked }: Checked<SealedProposal>, salt: Hex, { domain }: Parts): Sealing {
  const { executionType, deadline } = checked;
  const { escrowAddress: escrow, chainId, encryptedPayload: ciphertext } = body;
  const terms = { escrow, chainId, executionType, deadline, salt };
  const requestHash = hashSealedProposal(domain, { ...terms, ciphertext });
  try {
    const bytes = writeEnvelope({ version: 1, form: "sealed", ...terms, ciphertext });
    const envelope = { bytes, digest: digestOf(bytes) };
    const unknown = { tx: null, payload: null, signingHash: null };
    return { requestHash, description: sealedDescription, ...unknown, extras: null, envelope };
  } catch (error) {
    // Line ends and quotation marks take more room in the envelope than in the request.
    if (error instanceof RangeError) throw transactionErrors.tooLarge();
    throw error;
  }
}

const subjectIn = ({ content }: OpenProposal): Subject =>
  "tx" in content ? { tx: { ...content.tx, value: BigInt(content.tx.value) } } : content;

/** The columns of what would be signed. */
const signedColumns = (subject: Subject): Pick<Sealing, "tx" | "payload" | "signingHash"> =>
  "tx" in subject
    ? { tx: subject.tx, payload: null, signingHash: null }
    : { tx: null, payload: subject.payload, signingHash: hashPayload(subject.payload) };

/** Encrypts at once if the service's key is known and valid, otherwise later. */
async function sealOpen(
  { body, executionType, deadline, service }: Checked<OpenProposal>,
  salt: Hex,
  { domain, clock, log }: Parts,
): Promise<Sealing> {
  const { escrowAddress: escrow, chainId, userPrompt: description, contextLogs, intentSignature } = body;
  const subject = subjectIn(body);
  const extras: Extras = {
    ...(contextLogs === undefined ? {} : { contextLogs }),
    ...(intentSignature === undefined ? {} : { intentSignature }),
  };
  const terms = { escrow, chainId, executionType, salt };
  const content = contentOf({ ...terms, description, subject, deadline: new Date(deadline * 1000) }, extras);
  if (!fitsEnvelope(content)) throw transactionErrors.tooLarge();
  const requestHash = hashContent(domain, content);
  const signed = signedColumns(subject);
  const unsealed = { requestHash, description, ...signed, extras, contextLogs, envelope: null };
  if (body.form === "unsealed" || service === undefined || service.armoured === null) return unsealed;
  try {
    return { ...unsealed, extras: null, envelope: await seal(content, service.armoured, clock) };
  } catch (error) {
    // An expired key is for the service to fix. The proposal is stored, and encrypted once there is a key for it.
    log.warn("proposal not encrypted yet", { key: requestHash, error });
    return unsealed;
  }
}

async function makeTransaction(checked: Checked, parts: Parts): Promise<NewTransaction> {
  const { account, proposer, executionType, deadline, service, body } = checked;
  const salt = makeSalt();
  const intent = body.form === "sealed" ? undefined : body.intentSignature;
  const sealing =
    body.form === "sealed"
      ? wrap({ ...checked, body }, salt, parts)
      : await sealOpen({ ...checked, body }, salt, parts);
  return {
    id: newId(),
    account,
    proposer,
    escrow: body.escrowAddress,
    chainId: body.chainId,
    form: body.form,
    intentProvenance: intent === undefined ? "agent-claimed" : "user-signed",
    ...(intent === undefined ? {} : { intentNonce: intent }),
    deadline: new Date(deadline * 1000),
    salt,
    serviceId: service?.id ?? null,
    supersedes: null,
    lifecycle: begin(executionType, policyOf(checked)),
    ...sealing,
  };
}

/** Ends the replaced proposal. A caller who may not read a transaction gets the same error as for an unknown one. */
async function supersede(
  tx: Within,
  requestHash: Hex,
  account: Account,
  { transition }: Parts,
): Promise<Changed> {
  const changed = await transition.changeWithin(tx, { requestHash }, (current) => {
    if (current.account !== account) throw transactionErrors.supersedesUnknown();
    if (!isPending(current)) throw transactionErrors.supersedesNotPending();
    return { events: ["supersede"] };
  });
  if (changed === undefined) throw transactionErrors.supersedesUnknown();
  return changed;
}

export const makeRecord = (parts: Parts) =>
  async function record(checked: Checked, request: IdempotentRequest): Promise<Recorded> {
    const made = await makeTransaction(checked, parts);
    annotateSpan(requestHashIn(made.requestHash));
    const { supersedes } = checked.body;
    let superseded: Changed | undefined;
    let inserted: Transaction | undefined;
    const answer = await parts.idempotency.idempotently<Recorded>(
      { ...request, isSeveralStatements: supersedes !== undefined },
      async (tx) => {
        if (supersedes !== undefined) superseded = await supersede(tx, supersedes, made.account, parts);
        crashPoint("propose: before insert");
        inserted = await parts.store.insert({ ...made, supersedes: superseded?.before.id ?? null }, tx);
        // Under an Idempotency-Key the answer is stored in the same transaction, which is not committed yet.
        crashPoint("propose: after insert");
        return { status: 201, body: recordOf(inserted) };
      },
    );
    // A replayed answer did nothing. Its original effect was announced then, or by the sweeper.
    if (inserted === undefined) return answer;
    crashPoint("propose: after commit");
    parts.poke();
    await Promise.all([
      parts.transition.announce(superseded),
      parts.flows.start({ flow: verificationFlow, key: made.requestHash }),
    ]);
    crashPoint("propose: before answer");
    return answer;
  };
