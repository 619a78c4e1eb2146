// Sends a transaction with any wallet: proposes it, waits, checks the approval, and sends exactly that.
import type { Countersign } from "../client.ts";
import { CountersignError, WaitTimeoutError } from "../errors.ts";
import { checkFresh } from "../fresh/check-fresh.ts";
import type { Ask } from "../fresh/simulate-fresh.ts";
import type { Hex } from "../types.ts";
import type { WaitOptions } from "../wait.ts";
import type { BareWallet } from "./bare-wallet.ts";
import type { Asked } from "./check-approval.ts";
import { defaultMaxFee } from "./check-fee.ts";
import { checkTrust, getApproved } from "./get-approved.ts";
import type { GuardOptions } from "./guard-options.ts";
import { NotApprovedError } from "./not-approved.ts";
import { readChain } from "./read-chain.ts";
import type { Send } from "./read-send.ts";

/** Returns the transaction's hash. Throws a NotApprovedError if it was not approved; then nothing was sent. */
export async function sendApproved(wallet: BareWallet, send: Send, options: GuardOptions): Promise<Hex> {
  const { countersign, words } = options;
  const { call, fees } = send;
  const chainId = await readChain(wallet, send.chainId, "Not sent");
  const asked: Asked = {
    ...{ call, chainId, escrow: wallet.address },
    words: typeof words === "string" ? words : await words(call),
  };
  const proposal = { tx: call, chainId, escrowAddress: asked.escrow, userPrompt: asked.words };
  const approved = await getApproved(asked, proposal, options);
  const { decided, wait } = approved;
  // The owner's custodian sends it.
  if (decided.executor === "service") return waitForExecution(countersign, decided.requestHash, wait);
  await checkTrust(approved, asked, options);
  const { ask = askNoNode } = wallet;
  await checkFresh({ ...options, ask }, approved, { ...call, from: asked.escrow, fees });
  return wallet.send({ call, fees, chainId, maxFee: options.maxFee ?? defaultMaxFee });
}

const askNoNode: Ask = () => Promise.reject(new CountersignError("the wallet's node cannot be asked"));

async function waitForExecution(
  countersign: Countersign,
  requestHash: string,
  wait: WaitOptions,
): Promise<Hex> {
  const executed = await countersign
    .waitForStatus(requestHash, ["EXECUTED"], wait)
    .catch((error: unknown): never => {
      throw explainTimeout(error, requestHash);
    });
  const { status, reason, reasonDetail, transactionHash } = executed;
  if (status !== "EXECUTED" || transactionHash === null)
    throw new NotApprovedError(`Not sent: ${reasonDetail ?? reason ?? status}`, executed);
  return transactionHash as Hex;
}

/** The custodian has the order, so that "not sent" would be a guess. */
const explainTimeout = (error: unknown, requestHash: string): unknown =>
  error instanceof WaitTimeoutError
    ? new WaitTimeoutError(
        `Approved, and the owner's custodian may still send it: ${error.message}. Do not try again before you have looked up ${requestHash}`,
        error.transaction,
      )
    : error;
