// Lets an administrator send an owner's approved transaction: exactly that one, once.
import type { Account } from "../../accounts/index.ts";
import { principalOf, type Idempotency } from "../../platform/idempotency/index.ts";
import type { Transition } from "../transition.ts";
import { transactionErrors } from "../errors.ts";
import type { FindEscrowOwner } from "../propose/escrow-owner.ts";
import { statusOf, type Status } from "../lifecycle.ts";
import type { Changed, SenderName, TransactionStore } from "../store/index.ts";
import { isSameCall, type Hex, type Transaction } from "../transaction.ts";
import { WalletBusy, type BeginExecution } from "./begin-execution.ts";
import type { Senders, SenderType } from "../senders.ts";

/** The transaction to send, as requested. */
export type Asked = {
  readonly escrowAddress: Hex;
  readonly to: Hex;
  /** Wei, in decimal digits. */
  readonly value: string;
  readonly data: Hex;
  readonly requestHash: Hex;
  readonly type: SenderType;
};

type Parts = {
  readonly store: Pick<TransactionStore, "find" | "readSnapshot">;
  readonly transition: Pick<Transition, "announce">;
  readonly findEscrowOwner: FindEscrowOwner;
  readonly senders: Pick<Senders, "find">;
  readonly beginExecution: Pick<BeginExecution, "beginWithin">;
  readonly idempotently: Idempotency["idempotently"];
};

type By = {
  readonly caller: { readonly scheme: string; readonly subject: string };
  readonly idempotencyKey: string | undefined;
};

type Accepted = {
  readonly status: 201;
  readonly body: { readonly requestHash: Hex; readonly status: Status; readonly externalTxId: Hex };
  readonly headers?: Readonly<Record<string, string>>;
};

/**
 * Checks that it is the approved transaction, to the byte. The account first, so that nothing is revealed
 * about another account's.
 */
function checkSame(current: Transaction, account: Account, asked: Asked): void {
  const { tx, escrow } = current;
  if (current.account !== account || escrow !== asked.escrowAddress) throw transactionErrors.notApproved();
  if (!isSameCall(tx, { ...asked, value: BigInt(asked.value) })) throw transactionErrors.notEqual();
  if (!current.isWatched) throw transactionErrors.chainNotWatched();
}

/** A repeated request finds it already being sent. Anything else that is not waiting to be sent is rejected. */
const isOnItsWay = ({ policy, phase }: Transaction): boolean =>
  !policy.external && (phase === "EXECUTING" || phase === "BROADCAST" || phase === "CONFIRMING");

export const makeExecuteForOwner = (parts: Parts) => {
  const findSender = async (account: Account, { escrowAddress, type }: Asked): Promise<SenderName> => {
    const sender = await parts.senders.find({ account, wallet: escrowAddress, type });
    if (sender === undefined) throw transactionErrors.noIntegration();
    return sender;
  };

  /** Without a snapshot from the verification, its effect cannot be compared before sending. */
  const checkSnapshot = async ({ requestHash }: Asked): Promise<void> => {
    const found = await parts.store.find(requestHash);
    if (found === undefined) throw transactionErrors.notApproved();
    if ((await parts.store.readSnapshot(found.id)) === undefined) throw transactionErrors.notLookedAt();
  };

  const begin = async (...given: Parameters<BeginExecution["beginWithin"]>): Promise<Changed> => {
    try {
      const changed = await parts.beginExecution.beginWithin(...given);
      if (changed !== undefined && isOnItsWay(changed.after)) return changed;
    } catch (error) {
      if (error instanceof WalletBusy) throw transactionErrors.walletBusy();
      throw error;
    }
    throw transactionErrors.notApproved();
  };

  return async function executeForOwner(
    asked: Asked,
    { caller, idempotencyKey: key }: By,
  ): Promise<Accepted> {
    const account = await parts.findEscrowOwner(asked.escrowAddress);
    if (account === undefined) throw transactionErrors.noSuchEscrow();
    const sender = await findSender(account, asked);
    const { requestHash } = asked;
    let changed: Changed | undefined;
    const answer = await parts.idempotently<Accepted>(
      {
        ...{ principal: principalOf(caller), key, body: asked, isSeveralStatements: true },
        operation: "POST /custody/admin/transactions",
      },
      async (tx) => {
        await checkSnapshot(asked);
        const check = (current: Transaction): void => {
          checkSame(current, account, asked);
        };
        changed = await begin(tx, { requestHash, sender, check, isHandedOver: true });
        const body = { requestHash, status: statusOf(changed.after), externalTxId: requestHash };
        return { status: 201, body };
      },
    );
    await parts.transition.announce(changed);
    return answer;
  };
};
