// Checks whether this caller may propose this, and whether the proposal is complete. Then it is recorded.
import type { Clock } from "@countersign/platform/clock";
import type { Account } from "../../accounts/index.ts";
import type { KeyCaller } from "../../api-keys/index.ts";
import type { OAuthCaller } from "../../oauth/index.ts";
import { principalOf, type Idempotency } from "../../platform/idempotency/index.ts";
import type { JwtCaller } from "../../sign-in/index.ts";
import type { makeRecord, Recorded } from "../record/record.ts";
import { reviewUrlOf, type ProposedTransaction } from "../record/transaction-record.ts";
import { proposerOf } from "../caller.ts";
import { transactionErrors } from "../errors.ts";
import type { FindEscrowOwner } from "./escrow-owner.ts";
import type { Senders } from "../senders.ts";
import type { makeCheckIntent } from "./intent-signature.ts";
import type { ProposalBody, SealedProposal } from "../proposal-body.ts";
import { unixSeconds } from "../record/seal.ts";
import { checkSealedPayload } from "./sealed-by-sender.ts";
import type { ExecutionType } from "../transaction.ts";
import type { FindService, VerificationService } from "../record/verification-service.ts";

type Proposer = KeyCaller | JwtCaller | OAuthCaller;

type Parts = {
  readonly findEscrowOwner: FindEscrowOwner;
  readonly findService: FindService;
  /** The owner's registered OpenPGP key. */
  readonly findOwnerKey: (account: Account) => Promise<{ readonly armoured: string } | undefined>;
  readonly findSender: Senders["find"];
  readonly watchedChains: ReadonlySet<number>;
  /** Whether the owner has paused the agent. */
  readonly isPaused: (of: { readonly account: Account; readonly agent: string }) => Promise<boolean>;
  readonly readExecutionType: (account: Account) => Promise<ExecutionType>;
  readonly checkIntent: ReturnType<typeof makeCheckIntent>;
  readonly idempotency: Pick<Idempotency, "recall">;
  readonly record: ReturnType<typeof makeRecord>;
  readonly clock: Clock;
  /** Where owners review transactions. */
  readonly uiUrl: string;
  readonly pendingSeconds: number;
  readonly minimumDeadlineSeconds: number;
};

type Choosing = {
  readonly account: Account;
  readonly executionType: ExecutionType;
  readonly body: ProposalBody;
};

type Request = {
  readonly body: ProposalBody;
  readonly caller: Proposer;
  readonly ip: string;
  readonly idempotencyKey: string | undefined;
};

const furthestDeadlineSeconds = 7 * 24 * 60 * 60;

const isAdmin = (caller: Proposer): boolean => caller.scheme === "apiKey" && caller.type === "admin";

/** Checks that depend on the credential alone. A signed-in owner may do everything that the owner's keys may. */
function checkCredential(caller: Proposer, form: ProposalBody["form"]): void {
  if (caller.scheme !== "jwt") {
    const scope = isAdmin(caller) ? "transactions:create:any" : "transactions:create:own";
    if (!caller.scopes.includes(scope)) throw transactionErrors.mayNotPropose();
  }
  if (form !== "unsealed" || isAdmin(caller)) return;
  throw caller.scheme === "jwt" ? transactionErrors.keyRequired() : transactionErrors.unencryptedNotAllowed();
}

/** Returns the account of the escrow. Only an administrator learns that an address is unknown. */
async function findAccount(
  { escrowAddress: escrow }: ProposalBody,
  caller: Proposer,
  findEscrowOwner: FindEscrowOwner,
): Promise<Account> {
  if (caller.account === escrow) return caller.account;
  const owner = await findEscrowOwner(escrow);
  if (isAdmin(caller)) {
    if (owner === undefined) throw transactionErrors.noSuchUser();
    return owner;
  }
  if (owner === undefined || owner !== caller.account) throw transactionErrors.escrowNotYours();
  return owner;
}

/** Unix seconds. */
function chooseDeadline({ deadline }: ProposalBody, parts: Parts): number {
  const now = unixSeconds(parts.clock.now());
  if (deadline === undefined) return now + parts.pendingSeconds;
  const { minimumDeadlineSeconds: minimum } = parts;
  if (deadline < now + minimum || deadline > now + furthestDeadlineSeconds)
    throw transactionErrors.deadlineOutOfRange({
      message: `deadline must be in Unix seconds, from ${minimum} seconds to 7 days ahead`,
    });
  return deadline;
}

async function chooseService(
  { verificationServiceId: id }: ProposalBody,
  findService: FindService,
): Promise<VerificationService | undefined> {
  const service = await findService(id);
  if (id !== undefined && service?.active !== true) throw transactionErrors.serviceUnknown();
  return service;
}

async function checkSealed(
  payload: SealedProposal,
  { account, service }: { readonly account: Account; readonly service: VerificationService | undefined },
  { findOwnerKey, clock }: Parts,
): Promise<void> {
  const serviceKey = service?.armoured ?? undefined;
  if (serviceKey === undefined) throw transactionErrors.serviceKeyUnknown();
  const ownerKey = await findOwnerKey(account);
  if (ownerKey === undefined) throw transactionErrors.ownerHasNoKey();
  await checkSealedPayload(payload, { service: serviceKey, owner: ownerKey.armoured }, clock);
}

/** Type 2 is sent through the wallet's keeper, if the owner has set that up. We cannot send what we cannot read. */
async function chooseExecutor(
  { account, executionType, body }: Choosing,
  { findSender, watchedChains }: Parts,
): Promise<boolean> {
  // A custodian is asked to send transactions, never to sign other data.
  if (executionType !== 2 || body.form === "sealed" || !("tx" in body.content)) return false;
  // Nothing is sent on a chain where its outcome would not be seen.
  if (!watchedChains.has(body.chainId)) return false;
  const { escrowAddress: wallet } = body;
  return (await findSender({ account, wallet, type: "agent" })) !== undefined;
}

const makeRecordChecked = (parts: Parts) =>
  async function recordChecked({ body, caller, ip, idempotencyKey }: Request): Promise<Recorded> {
    checkCredential(caller, body.form);
    const account = await findAccount(body, caller, parts.findEscrowOwner);
    const request = {
      principal: principalOf(caller),
      key: idempotencyKey,
      operation: "POST /transactions",
      body,
    };
    // Before any check that depends on the time: the deadline may have been far enough ahead, the signature not
    // expired.
    const before = await parts.idempotency.recall<Recorded>(request);
    if (before !== undefined) return before;

    const proposer = proposerOf(caller);
    if (await parts.isPaused({ account, agent: proposer })) throw transactionErrors.agentPaused();
    const executionType = await parts.readExecutionType(account);
    if (body.form === "unsealed" && executionType !== 0) throw transactionErrors.flowNotAllowed();
    const deadline = chooseDeadline(body, parts);
    const service = await chooseService(body, parts.findService);
    if (body.form === "sealed") await checkSealed(body, { account, service }, parts);
    else if (body.intentSignature !== undefined)
      await parts.checkIntent({
        account,
        text: body.userPrompt,
        chainId: body.chainId,
        intentSignature: body.intentSignature,
        ip,
      });
    const isOursToSend = await chooseExecutor({ account, executionType, body }, parts);
    return parts.record({ account, proposer, executionType, deadline, service, isOursToSend, body }, request);
  };

export type Proposed = Omit<Recorded, "body"> & { readonly body: ProposedTransaction };

/** Returns the recorded proposal, with the link for its owner. The link is not stored: the address may change. */
export const makeProposeTransaction = (parts: Parts) => {
  const recordChecked = makeRecordChecked(parts);
  return async function proposeTransaction(request: Request): Promise<Proposed> {
    const recorded = await recordChecked(request);
    const reviewUrl = reviewUrlOf(parts.uiUrl, recorded.body.requestHash);
    return { ...recorded, body: { ...recorded.body, reviewUrl } };
  };
};

export type ProposeTransaction = ReturnType<typeof makeProposeTransaction>;
