import type { TransactionView } from "@countersign/sdk";
import type { Context } from "../context.ts";
import { pageOf } from "../render/page-of.ts";
import { renderTransaction } from "../render/transaction.ts";

/** Prints the transaction's current state. */
export const answerTransaction = (context: Context, view: TransactionView): void => {
  context.output.answer(view, () => renderTransaction(view, { ...pageOf(context), now: new Date() }));
};
