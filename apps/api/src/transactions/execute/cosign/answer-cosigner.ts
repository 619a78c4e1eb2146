// Answers a custodian that asks before it signs. Approves only a transaction that is approved now, and once.
import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "@countersign/platform/clock";
import type { Log } from "@countersign/platform/log";
import { hashData } from "@countersign/wire";
import type { CustodySenders } from "../../../custody/index.ts";
import type { TransactionStore } from "../../store/index.ts";
import type { Hex } from "../../transaction.ts";
import { reject, retry, signAnswer, type Answer } from "./answer.ts";
import type { makeCallbackKey } from "./callback-key.ts";
import { cosignErrors } from "./errors.ts";
import { unknownProposal, type CheckProposal, type Signing } from "./check-proposal.ts";
import type { Question } from "./question.ts";
import { readRawTransaction } from "./raw-transaction.ts";
import { readQuestion } from "./read-question.ts";

type Parts = {
  readonly custody: Pick<CustodySenders, "findForCosigner">;
  readonly store: Pick<TransactionStore, "find" | "listSendable" | "claimCosignature" | "findCosigned">;
  readonly checkProposal: CheckProposal;
  readonly callbackKey: ReturnType<typeof makeCallbackKey>;
  readonly clock: Clock;
  readonly log: Log;
  /** How long the check may take before the custodian is told to ask again. */
  readonly patienceMs?: number;
};

type Integration = NonNullable<Awaited<ReturnType<CustodySenders["findForCosigner"]>>>;
type Told = { readonly answer: Answer; readonly requestHash?: Hex };

/** They disconnect after thirty seconds, which counts as a final failure. */
const defaultPatienceMs = 20_000;

/** Other operations may sign bytes that are not a transaction. */
const operations: readonly string[] = ["TRANSFER", "CONTRACT_CALL"];

/** From the request alone: what would be signed, or why it is rejected. */
function readSigning(question: Question, { account, wallet, vaultAccountId }: Integration): Signing | Answer {
  const { sourceType, sourceId, operation } = question;
  if (wallet === null) return reject("the wallet of this integration is not known yet");
  if (sourceType !== "VAULT" || sourceId !== vaultAccountId)
    return reject("it is from another vault than this integration's");
  if (!operations.includes(operation ?? "")) return reject("only transfers and contract calls are signed");
  const read = readRawTransaction(question);
  return "why" in read ? reject(read.why) : { account, wallet, ...read, isAgain: false };
}

const isRequestHash = (text: string): text is Hex => /^0x[0-9a-f]{64}$/.test(text);

type Candidates = { readonly hashes: readonly Hex[]; readonly isAgain: boolean };

/**
 * Returns the candidate proposals, likeliest first: the one it was signed for before, the one it names, those
 * with the same call.
 */
async function findCandidates(
  { store }: Parts,
  { txId, externalTxId }: Question,
  { account, wallet: escrow, call }: Signing,
): Promise<Candidates> {
  const before = await store.findCosigned(account, txId);
  if (before !== undefined) return { hashes: [before], isAgain: true };
  const named = externalTxId?.toLowerCase() ?? "";
  if (isRequestHash(named)) return { hashes: [named], isAgain: false };
  const { chainId, to, value, data } = call;
  const hashes = await store.listSendable({ chainId, escrow, to, value, dataHash: hashData(data) });
  return { hashes, isAgain: false };
}

/** Retries while the proposal changes during the check. */
const looksAtMost = 3;

async function decideOn(
  { store, checkProposal }: Parts,
  requestHash: Hex,
  { txId, signing }: { readonly txId: string; readonly signing: Signing },
): Promise<Answer> {
  const cosigned = { theirId: txId, nonce: signing.call.nonce };
  for (let look = 0; look < looksAtMost; look++) {
    const transaction = await store.find(requestHash);
    if (transaction === undefined) return unknownProposal;
    const answer = await checkProposal(transaction, signing);
    if (answer.action !== "APPROVE") return answer;
    // Last: a rejection for another reason must not use up the one signature. And only for the version that was
    // checked: the owner may have rejected it in the meantime.
    const claim = await store.claimCosignature(transaction, cosigned);
    if (claim === "claimed") return answer;
    if (claim === "taken")
      return reject("it was already signed, as another transaction or with another nonce");
  }
  return retry("it changed during the check");
}

async function decide(parts: Parts, question: Question, integration: Integration): Promise<Told> {
  const signing = readSigning(question, integration);
  if ("action" in signing) return { answer: signing };
  const { hashes, isAgain } = await findCandidates(parts, question, signing);
  const asked = { txId: question.txId, signing: { ...signing, isAgain } };
  let refused: Told | undefined;
  for (const requestHash of hashes) {
    const answer = await decideOn(parts, requestHash, asked);
    if (answer.action !== "REJECT") return { answer, requestHash };
    refused ??= { answer, requestHash };
  }
  return refused ?? { answer: unknownProposal };
}

/** A later approval is stored for when they ask again. */
async function decideInTime(parts: Parts, question: Question, integration: Integration): Promise<Told> {
  const waiting = new AbortController();
  const { patienceMs = defaultPatienceMs } = parts;
  const late: Told = { answer: retry("the check took too long") };
  try {
    return await Promise.race([
      decide(parts, question, integration),
      sleep(patienceMs, late, { signal: waiting.signal }),
    ]);
  } finally {
    waiting.abort();
  }
}

export const makeAnswerCosigner = (parts: Parts) =>
  /** Returns the answer as a token. Throws for an unknown integration or co-signer. */
  async function answerCosigner(integrationId: string, token: string): Promise<string> {
    const { custody, callbackKey, clock, log } = parts;
    const integration = await custody.findForCosigner(integrationId);
    if (integration === undefined) throw cosignErrors.noIntegration();
    const question = await readQuestion({ token, publicKey: integration.cosignerPublicKey, clock });
    const { privateKey } = await callbackKey();
    const { answer, requestHash } = await decideInTime(parts, question, integration);
    const { requestId, txId } = question;
    log.info("co-signer answered", {
      key: requestHash ?? txId,
      status: answer.action,
      ...(answer.action === "APPROVE" ? {} : { reason: answer.reason }),
    });
    return signAnswer(answer, requestId, privateKey);
  };
