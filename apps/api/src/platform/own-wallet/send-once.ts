import { FlowCannotGoOn, type Steps } from "@countersign/platform/engine";
import type { Outcome, OwnWallet, Plan } from "../../adapters/own-wallet/index.ts";
import type { Claim, KeptTransaction, OwnTransactionStore, Want } from "./store.ts";

type Hex = `0x${string}`;

type Parts = { readonly store: OwnTransactionStore; readonly wallet: OwnWallet };

type Sending<Reason extends string> = Want &
  Parts & {
    readonly step: Steps["step"];
    /** Prefix of the step names, for a flow that sends more than once. */
    readonly label?: string;
    /** Returns the call to sign on the current chain, or the reason why none is needed. */
    readonly plan: () => Promise<Plan | Reason>;
    readonly claim: Claim;
  };

/** The outcome. "unwanted": the row no longer needed one when it was to be signed. */
type Sent<Reason extends string> =
  | { readonly state: "mined" | "reverted"; readonly hash: Hex; readonly blockNumber: number }
  | { readonly state: "unsent"; readonly reason: Reason | "unwanted" };

type Prepared<Reason extends string> = { readonly hash: Hex } | { readonly reason: Reason | "unwanted" };

/** As many as a block of a small chain holds. The next round sends the next ones. */
const atOnce = 100;

/**
 * Sends one of the service's own transactions, as steps of a flow: signs once, stores the signed bytes, and
 * sends exactly those until the chain has them. Another is signed only if another transaction finally used
 * the nonce. Call it again under another label after a reorg removed the transaction: the same bytes are then
 * sent again.
 */
export async function sendOnce<Reason extends string>(sending: Sending<Reason>): Promise<Sent<Reason>> {
  const { step, label = "" } = sending;
  for (let round = 1; ; round++) {
    const prepared = await step(`${label}prepare, round ${round}`, () => prepare(sending));
    if ("reason" in prepared) return { state: "unsent", reason: prepared.reason };
    const { hash } = prepared;
    await step(`${label}send, round ${round}`, async () => {
      await resend(sending, await readKept(sending, hash));
    });
    const outcome = await step(`${label}outcome, round ${round}`, () => learnOutcome(sending, hash));
    if (outcome.state !== "displaced") return { ...outcome, hash };
  }
}

/**
 * Returns the hash of the row's one transaction, which is signed and stored now unless it exists. Once
 * signed, it is sent whatever the row needs by then: a missing nonce would block all later ones.
 */
async function prepare<Reason extends string>({
  store,
  plan,
  claim,
  purpose,
  subject,
}: Sending<Reason>): Promise<Prepared<Reason>> {
  const standing = await store.findLive({ purpose, subject });
  if (standing !== undefined) return { hash: standing.hash };
  const planned = await plan();
  if (typeof planned === "string") return { reason: planned };
  const hash = await store.signOnce({ ...planned, purpose, subject }, claim);
  return hash === undefined ? { reason: "unwanted" } : { hash };
}

async function readKept({ store }: Parts, hash: Hex): Promise<KeptTransaction> {
  const kept = await store.read(hash);
  if (kept === undefined) throw new FlowCannotGoOn(`the signed bytes of ${hash} are missing`);
  return kept;
}

/**
 * Sends the stored transaction after the signer's earlier ones that the chain lacks: their own flows may be
 * over, and if a reorg removed them, they would block every later nonce.
 */
async function resend({ store, wallet }: Parts, kept: KeptTransaction): Promise<void> {
  const count = await wallet.countOf(kept.signer);
  for (const bytes of await store.listUpTo(kept, count, atOnce)) await wallet.send(bytes);
}

async function learnOutcome(parts: Parts, hash: Hex): Promise<Outcome> {
  const kept = await readKept(parts, hash);
  const outcome = await parts.wallet.waitForOutcome(kept);
  if (outcome === undefined) {
    await resend(parts, kept);
    throw new Error(`${hash} is in no block yet, or not deep enough`);
  }
  await parts.store.settle(hash, outcome.state);
  return outcome;
}
