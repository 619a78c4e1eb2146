// Checks whether this transaction may be signed for this proposal now.
import type { Clock } from "@countersign/platform/clock";
import type { Log } from "@countersign/platform/log";
import type { Account } from "../../../accounts/index.ts";
import type { SendingTerms } from "../../../adapters/chain/index.ts";
import type { ReadVerdict } from "../read-verdict.ts";
import { mayBeSent } from "../../lifecycle.ts";
import type { Preflight } from "../preflight/index.ts";
import type { TransactionStore } from "../../store/index.ts";
import { isSameCall, type Hex, type Transaction } from "../../transaction.ts";
import { approve, reject, retry, type Answer } from "./answer.ts";
import type { RawCall } from "./raw-transaction.ts";

/** The transaction that would be signed, and for which integration. */
export type Signing = {
  readonly account: Account;
  readonly wallet: Hex;
  readonly call: RawCall;
  readonly terms: SendingTerms;
  /** We already approved this exact signature, so the pending transaction may be the same one. */
  readonly isAgain: boolean;
};

type Parts = {
  readonly store: Pick<TransactionStore, "readSnapshot">;
  readonly readVerdict: ReadVerdict;
  readonly preflight: Preflight;
  readonly clock: Clock;
  readonly log: Log;
};

/** Also for another account's proposal, so that the answer does not reveal it. */
export const unknownProposal = reject("no approved proposal of this wallet has this call");

/** A transaction that the owner sends waits in READY; one that we send has been begun. */
const isOurTurn = ({ phase, policy }: Transaction): boolean => (phase === "READY") === policy.external;

const isSame = ({ chainId, tx }: Transaction, call: RawCall): boolean =>
  chainId === call.chainId && isSameCall(tx, call);

/** Uses stored data alone. */
function findObjection(transaction: Transaction, { account, wallet, call }: Signing): Answer | undefined {
  if (transaction.account !== account || transaction.escrow !== wallet) return unknownProposal;
  if (transaction.tx === null) return reject("its sender encrypted it, so its call is not known here");
  if (!isSame(transaction, call)) return reject("the call differs from the approved one");
  if (!mayBeSent(transaction)) return reject("it is not approved");
  if (!isOurTurn(transaction)) return reject("this wallet may not send it now");
  if (transaction.alert !== null) return reject("it is flagged and needs review");
  if (transaction.isOverdue || !transaction.verdictFresh) return reject("it has expired");
  return undefined;
}

export type CheckProposal = (transaction: Transaction, signing: Signing) => Promise<Answer>;

export function makeCheckProposal({ store, readVerdict, preflight, clock, log }: Parts): CheckProposal {
  const lookAgain = async (
    transaction: Transaction,
    verdict: { readonly validUntil: number },
    { isAgain, terms }: Signing,
  ): Promise<Answer> => {
    const { id, requestHash: key, policy } = transaction;
    // Its owner sends it in person, and it was verified before the wallet was known to be in custody, so there is no
    // recorded effect to compare with. We can only confirm that this is the approved call.
    if (policy.external && (await store.readSnapshot(id)) === undefined) return approve;
    try {
      const found = await preflight(transaction, verdict, terms);
      if (found.ok || (found.isPassing && isAgain)) return approve;
      log.info("co-signing preflight failed", { key, reason: found.reasons.join("; ") });
      return found.isPassing
        ? retry("another transaction of this wallet is under way")
        : reject("its effect has changed since it was verified");
    } catch (error) {
      log.warn("co-signing preflight not possible", { key, error });
      return retry("the chain did not answer");
    }
  };

  return async function checkProposal(transaction, signing) {
    const objection = findObjection(transaction, signing);
    if (objection !== undefined) return objection;
    const verdict = await readVerdict(transaction);
    if ("why" in verdict) return reject(verdict.why.join("; "));
    const until = Math.min(verdict.validUntil * 1000, transaction.deadline.getTime());
    if (until <= clock.now().getTime()) return reject("it has expired");
    return lookAgain(transaction, verdict, signing);
  };
}
