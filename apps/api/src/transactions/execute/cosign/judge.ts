// May these bytes be signed for this proposal, now?
import type { Clock } from "@countersign/platform/clock";
import type { Log } from "@countersign/platform/log";
import type { Account } from "../../../accounts/index.ts";
import type { ReadVerdict } from "../read-verdict.ts";
import { mayBeSent } from "../../lifecycle.ts";
import type { Preflight } from "../preflight/index.ts";
import type { TransactionStore } from "../../store/index.ts";
import { isSameCall, type Hex, type Transaction } from "../../transaction.ts";
import { approve, reject, retry, type Answer } from "./answer.ts";
import type { RawCall } from "./raw-transaction.ts";

/** What would be signed, and for whom. */
export type Signing = {
  readonly account: Account;
  readonly wallet: Hex;
  readonly call: RawCall;
  /** We said yes to this very one before: the transaction that waits for a block may be itself. */
  readonly isAgain: boolean;
};

type Parts = {
  readonly store: Pick<TransactionStore, "readSnapshot">;
  readonly readVerdict: ReadVerdict;
  readonly preflight: Preflight;
  readonly clock: Clock;
  readonly log: Log;
};

/** Also for another account's: who asks does not learn that there is such a proposal. */
export const unknownProposal = reject("no approved proposal of this wallet has these bytes");

/** What is not sent by us waits for its owner; what is has been begun. */
const isOurTurn = ({ phase, policy }: Transaction): boolean => (phase === "READY") === policy.external;

const isSame = ({ chainId, tx }: Transaction, call: RawCall): boolean =>
  chainId === call.chainId && isSameCall(tx, call);

/** From the record alone. */
function findObjection(transaction: Transaction, { account, wallet, call }: Signing): Answer | undefined {
  if (transaction.account !== account || transaction.escrow !== wallet) return unknownProposal;
  if (transaction.tx === null) return reject("its sender sealed it: its bytes were never seen here");
  if (!isSame(transaction, call)) return reject("these are not the bytes that were approved");
  if (!mayBeSent(transaction)) return reject("it is not approved, or no longer");
  if (!isOurTurn(transaction)) return reject("it is not the turn of this wallet to send it");
  if (transaction.alert !== null) return reject("something is wrong with it that somebody has to look at");
  if (transaction.isOverdue || !transaction.verdictFresh) return reject("its time is up");
  return undefined;
}

export type Judge = (transaction: Transaction, signing: Signing) => Promise<Answer>;

export function makeJudge({ store, readVerdict, preflight, clock, log }: Parts): Judge {
  const lookAgain = async (
    transaction: Transaction,
    verdict: { readonly validUntil: number },
    isAgain: boolean,
  ): Promise<Answer> => {
    const { id, requestHash: key, policy } = transaction;
    // Its owner sends it in person, and it was verified before the wallet was known to be one that others send from: nobody
    // looked at what it does, so there is nothing to compare with. That these are the approved bytes is what we can say.
    if (policy.external && (await store.readSnapshot(id)) === undefined) return approve;
    try {
      const found = await preflight(transaction, verdict);
      if (found.ok || (found.isPassing && isAgain)) return approve;
      log.info("a transaction is not fit to be signed", { key, reason: found.reasons.join("; ") });
      return found.isPassing
        ? retry("another transaction of this wallet is under way")
        : reject("it would not do now what it did when it was verified");
    } catch (error) {
      log.warn("what a transaction would do could not be learnt", { key, error });
      return retry("the chain could not be asked");
    }
  };

  return async function judge(transaction, signing) {
    const objection = findObjection(transaction, signing);
    if (objection !== undefined) return objection;
    const verdict = await readVerdict(transaction);
    if ("why" in verdict) return reject(verdict.why.join("; "));
    const until = Math.min(verdict.validUntil * 1000, transaction.deadline.getTime());
    if (until <= clock.now().getTime()) return reject("its time is up");
    return lookAgain(transaction, verdict, signing.isAgain);
  };
}
