// Reads for the verification service the content of a proposal that is not on the chain, because it is not encrypted.
import type { WholeContent } from "@countersign/wire/envelope";
import { isTerminal } from "../lifecycle.ts";
import { contentOf, subjectOf } from "../record/seal.ts";
import type { TransactionStore } from "../store/index.ts";
import type { Extras, Hex, Transaction } from "../transaction.ts";

type Parts = { readonly store: Pick<TransactionStore, "find" | "readSealing"> };

/** The content of an unencrypted proposal. Undefined for one that is or will be encrypted. */
export function unsealedOf(transaction: Transaction, extras: Extras | null): WholeContent | undefined {
  if (transaction.form !== "unsealed") return undefined;
  const subject = subjectOf(transaction);
  return subject && contentOf({ ...transaction, subject }, extras ?? {});
}

/** Returns the content of an unencrypted proposal that awaits its verdict. Undefined for every other hash. */
export const makeReadAwaiting = (parts: Parts) =>
  async function readAwaiting(requestHash: Hex): Promise<WholeContent | undefined> {
    const transaction = await parts.store.find(requestHash);
    if (transaction === undefined || isTerminal(transaction) || transaction.orion !== null) return undefined;
    return unsealedOf(transaction, (await parts.store.readSealing(requestHash))?.extras ?? null);
  };
