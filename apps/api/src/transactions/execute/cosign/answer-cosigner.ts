// A custodian asks before it signs. It is told yes only for bytes that an approval of ours stands behind, now, and once.
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
import { unknownProposal, type Judge, type Signing } from "./judge.ts";
import type { Question } from "./question.ts";
import { readRawTransaction } from "./raw-transaction.ts";
import { readQuestion } from "./read-question.ts";

type Parts = {
  readonly custody: Pick<CustodySenders, "findForCosigner">;
  readonly store: Pick<TransactionStore, "find" | "listSendable" | "claimCosignature" | "findCosigned">;
  readonly judge: Judge;
  readonly callbackKey: ReturnType<typeof makeCallbackKey>;
  readonly clock: Clock;
  readonly log: Log;
  /** How long the judgement may take, before they are told to ask again. */
  readonly patienceMs?: number;
};

type Integration = NonNullable<Awaited<ReturnType<CustodySenders["findForCosigner"]>>>;
type Told = { readonly answer: Answer; readonly requestHash?: Hex };

/** They hang up after thirty seconds, and then it has failed for good. */
const defaultPatienceMs = 20_000;

/** Anything else may have bytes signed that are not those of a transaction. */
const operations: readonly string[] = ["TRANSFER", "CONTRACT_CALL"];

/** From the question alone: what would be signed, or why it is not. */
function readSigning(question: Question, { account, wallet, vaultAccountId }: Integration): Signing | Answer {
  const { sourceType, sourceId, operation } = question;
  if (wallet === null) return reject("the wallet of this integration is not known yet");
  if (sourceType !== "VAULT" || sourceId !== vaultAccountId)
    return reject("it is from another vault than this integration's");
  if (!operations.includes(operation ?? "")) return reject("only transfers and contract calls are signed");
  const read = readRawTransaction(question);
  return "why" in read ? reject(read.why) : { account, wallet, call: read.call, isAgain: false };
}

const isRequestHash = (text: string): text is Hex => /^0x[0-9a-f]{64}$/.test(text);

type Candidates = { readonly hashes: readonly Hex[]; readonly isAgain: boolean };

/** Which proposals it may be, the likeliest first: what it was signed for before, the one it names, those of the same bytes. */
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

/** More often it does not change while it is looked at. */
const looksAtMost = 3;

async function decideOn(
  { store, judge }: Parts,
  requestHash: Hex,
  { txId, signing }: { readonly txId: string; readonly signing: Signing },
): Promise<Answer> {
  const cosigned = { theirId: txId, nonce: signing.call.nonce };
  for (let look = 0; look < looksAtMost; look++) {
    const transaction = await store.find(requestHash);
    if (transaction === undefined) return unknownProposal;
    const answer = await judge(transaction, signing);
    if (answer.action !== "APPROVE") return answer;
    // Last: what is refused for another reason must not use up the one signature there is. And only as it was judged: its
    // owner may have said no while the chain was asked.
    const claim = await store.claimCosignature(transaction, cosigned);
    if (claim === "claimed") return answer;
    if (claim === "taken")
      return reject("it was signed before, as another transaction or with another nonce");
  }
  return retry("it changes while it is looked at");
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

/** Should it come to a yes all the same, that is kept for when they ask again. */
async function decideInTime(parts: Parts, question: Question, integration: Integration): Promise<Told> {
  const waiting = new AbortController();
  const { patienceMs = defaultPatienceMs } = parts;
  const late: Told = { answer: retry("it takes longer than it should") };
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
  /** The answer as a token. Throws when it is not known who asks. */
  async function answerCosigner(integrationId: string, token: string): Promise<string> {
    const { custody, callbackKey, clock, log } = parts;
    const integration = await custody.findForCosigner(integrationId);
    if (integration === undefined) throw cosignErrors.noIntegration();
    const question = await readQuestion({ token, publicKey: integration.cosignerPublicKey, clock });
    const { privateKey } = await callbackKey();
    const { answer, requestHash } = await decideInTime(parts, question, integration);
    const { requestId, txId } = question;
    log.info("a co-signer was answered", {
      key: requestHash ?? txId,
      status: answer.action,
      ...(answer.action === "APPROVE" ? {} : { reason: answer.reason }),
    });
    return signAnswer(answer, requestId, privateKey);
  };
