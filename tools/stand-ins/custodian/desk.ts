// Processes an accepted order: asks the co-signer, signs, sends, and tracks the transaction.
import { randomUUID } from "node:crypto";
import { formatEther, type Hex } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import { serialize, type Chain, type Unsigned } from "./chain.ts";
import { askCosigner, type Cosigner } from "./cosigner.ts";
import { isOver, otherAmount, type Transaction } from "./transactions.ts";

type Options = {
  /** Without one nothing is sent: an order waits for its signature. */
  readonly chain: Chain | undefined;
  readonly cosigner: () => Cosigner | undefined;
  readonly accountOf: (vault: string) => PrivateKeyAccount;
};

export type Desk = { readonly begin: (transaction: Transaction) => void };

const stand = (transaction: Transaction, status: string, subStatus = ""): void => {
  transaction.status = status;
  transaction.subStatus = subStatus;
};

export function makeDesk({ chain, cosigner, accountOf }: Options): Desk {
  /** One after the other in each vault, so that each gets a nonce of its own. */
  const queues = new Map<string, Promise<void>>();
  const work = async (transaction: Transaction): Promise<void> => {
    if (transaction.isIdle || isOver(transaction) || stopsShort(transaction)) return;
    stand(transaction, "PENDING_SIGNATURE");
    if (chain === undefined) return;
    const account = accountOf(transaction.vault);
    const unsigned = await chain.prepare(account, callOf(transaction));
    const refusal = await refusalOf(transaction, unsigned, cosigner());
    if (isOver(transaction)) return;
    if (refusal !== undefined) {
      stand(transaction, refusal.status, refusal.subStatus);
      return;
    }
    transaction.isSigned = true;
    // Before the right one is known, so that it is never told.
    if (transaction.fault === "other-hash") transaction.toldHash = await chain.sendUnrelated();
    transaction.txHash = await chain.send(account, unsigned);
    stand(transaction, "BROADCASTING");
  };
  const follow = async (transaction: Transaction): Promise<void> => {
    if (chain === undefined || transaction.txHash === undefined) return;
    stand(transaction, "CONFIRMING");
    const outcome = await chain.waitFor(transaction.txHash);
    if (outcome === "success") stand(transaction, "COMPLETED", "CONFIRMED");
    else stand(transaction, "FAILED", "SMART_CONTRACT_EXECUTION_FAILED");
  };
  const fail = (transaction: Transaction, error: unknown): void => {
    const isPoor = /insufficient funds/i.test(String(error));
    stand(transaction, "FAILED", isPoor ? "INSUFFICIENT_FUNDS" : "INTERNAL_ERROR");
  };
  return {
    begin: (transaction) => {
      const before = queues.get(transaction.vault) ?? Promise.resolve();
      const done = before.then(() => work(transaction));
      queues.set(
        transaction.vault,
        done.catch(() => undefined),
      );
      done
        .then(() => follow(transaction))
        .catch((error: unknown) => {
          fail(transaction, error);
        });
    },
  };
}

/** Those that are told never to come as far as a signature. */
function stopsShort(transaction: Transaction): boolean {
  if (transaction.fault === "rejects") stand(transaction, "REJECTED", "BLOCKED_BY_POLICY");
  else if (transaction.fault === "fails") stand(transaction, "FAILED", "INTERNAL_ERROR");
  else if (transaction.fault === "blocked-forever") stand(transaction, "PENDING_AUTHORIZATION");
  else return false;
  return true;
}

/** The transaction to send: the order, unless a fault changes it. */
function callOf({ to, value, data, fault }: Transaction): { to: Hex; value: bigint; data: Hex } {
  if (fault === "other-amount-sent") return { to, value: otherAmount(value), data };
  if (fault !== "tamper") return { to, value, data };
  return data === "0x" ? { to: flipLastByte(to), value, data } : { to, value, data: flipLastByte(data) };
}

const flipLastByte = (bytes: Hex): Hex => {
  const last = Number.parseInt(bytes.slice(-2), 16) ^ 0xff;
  return `${bytes.slice(0, -2) as Hex}${last.toString(16).padStart(2, "0")}`;
};

type Refusal = { readonly status: string; readonly subStatus: string };

async function refusalOf(
  transaction: Transaction,
  unsigned: Unsigned,
  cosigner: Cosigner | undefined,
): Promise<Refusal | undefined> {
  if (cosigner === undefined) return undefined;
  const question = askAbout(transaction, unsigned);
  const verdict = await askCosigner(cosigner, question, () => !isOver(transaction));
  if (verdict === "APPROVE") return undefined;
  return verdict === "REJECT"
    ? { status: "REJECTED", subStatus: "REJECTED_BY_USER" }
    : { status: "FAILED", subStatus: "SIGNING_ERROR" };
}

/** The order as stored, together with the transaction to sign, so that the co-signer can compare them. */
function askAbout(transaction: Transaction, unsigned: Unsigned): { readonly requestId: string } {
  const { id, externalTxId, operation, vault, to, assetId, value, note, apiKey, data } = transaction;
  const amount = formatEther(value);
  return {
    requestId: randomUUID(),
    ...{ txId: id, externalTxId, operation, asset: assetId, note, signerId: apiKey },
    ...{ sourceType: "VAULT", sourceId: vault, destType: "ONE_TIME_ADDRESS", destAddress: to },
    ...{ amountStr: amount, requestedAmountStr: amount },
    ...(data === "0x" ? {} : { extraParameters: { contractCallData: data } }),
    rawTx: [{ rawTx: serialize(unsigned).slice(2) }],
  } as { readonly requestId: string };
}
