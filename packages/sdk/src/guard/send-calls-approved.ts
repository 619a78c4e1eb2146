// Sends a batch with any wallet: proposes it, waits, checks the approval, releases it once, and sends exactly that.
import { hashPayload, type Calls } from "@countersign/wire";
import type { BareWallet, BatchSender } from "./bare-wallet.ts";
import type { Asked } from "./check-approval.ts";
import { defaultMaxFee } from "./check-fee.ts";
import { checkTrust, getApproved } from "./get-approved.ts";
import type { GuardOptions } from "./guard-options.ts";
import { NotApprovedError } from "./not-approved.ts";
import { readChain } from "./read-chain.ts";
import { recordRelease } from "./sign-exactly.ts";

/** The answer of `wallet_sendCalls`. */
type SentCalls = { readonly id: string };

/**
 * Returns the batch's id at the wallet. Throws a NotApprovedError if it was not approved; then nothing was sent. The release is recorded
 * before the wallet is asked, so that no batch is sent twice.
 */
export async function sendCallsApproved(
  wallet: BareWallet,
  calls: Calls,
  options: GuardOptions,
): Promise<SentCalls> {
  const { countersign } = options;
  const batches = checkSender(wallet, calls, options);
  const chainId = await readChain(wallet, calls.chainId, "Not sent");
  const signingHash = hashPayload({ shape: "calls", calls });
  const asked: Asked = {
    ...{ shape: "calls", signingHash, chainId, escrow: wallet.address },
    words: await readWords(calls, options),
  };
  const proposal = { calls, chainId, escrowAddress: asked.escrow, userPrompt: asked.words };
  const approved = await getApproved(asked, proposal, options);
  await checkTrust(approved, asked, options);
  await recordRelease(countersign, { requestHash: approved.decided.requestHash, signingHash }, "Not sent");
  return { id: await batches.send(calls, options.maxFee ?? defaultMaxFee) };
}

/** Refuses what would fail after the approval. */
function checkSender({ batches }: BareWallet, calls: Calls, { requireFresh }: GuardOptions): BatchSender {
  if (batches === undefined) throw new NotApprovedError("Not sent: this wallet cannot send a batch");
  if (calls.atomicRequired && !batches.isAtomic && calls.calls.length > 1)
    throw new NotApprovedError(
      "Not sent: this wallet sends the calls of a batch one after the other, and atomicRequired is set",
    );
  if (requireFresh === true)
    throw new NotApprovedError("Not sent: a batch cannot be simulated again, and requireFresh is set");
  return batches;
}

async function readWords(calls: Calls, { words, wordsForCalls }: GuardOptions): Promise<string> {
  if (wordsForCalls !== undefined) return wordsForCalls(calls);
  if (typeof words === "string") return words;
  throw new NotApprovedError("Not sent: the guard needs wordsForCalls, the user's request for a batch");
}
