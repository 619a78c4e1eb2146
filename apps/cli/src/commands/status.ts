import type { Command } from "commander";
import { readHash } from "../call/read-call.ts";
import type { Context } from "../context.ts";
import { usageError } from "../errors.ts";
import { pageOf } from "../render/page-of.ts";
import { renderTable } from "../render/transaction.ts";
import { answerTransaction } from "./answer-transaction.ts";

export function addStatus(program: Command, context: Context): void {
  program
    .command("status")
    .description("show a proposal, or the newest ones")
    .argument("[hash]", "request hash; without it, the newest proposals")
    .option("--limit <count>", "number of proposals to list", "10")
    .addHelpText("after", "\nExample:\n  countersign status 0x…")
    .action(async (hash: string | undefined, { limit }: { readonly limit: string }) => {
      await (hash === undefined ? showNewest(context, limit) : showOne(context, hash));
    });
}

async function showOne(context: Context, hash: string): Promise<void> {
  const client = await context.client();
  const view = await client.transaction(readHash(hash), { signal: context.signal });
  answerTransaction(context, view);
}

async function showNewest(context: Context, count: string): Promise<void> {
  const limit = /^\d{1,3}$/.test(count) ? Number(count) : 0;
  if (limit === 0) throw usageError("--limit needs a number from 1 to 999.");
  const client = await context.client();
  const { transactions } = await client.transactions({ limit, signal: context.signal });
  context.output.answer(transactions, () =>
    transactions.length === 0
      ? 'No proposals yet. Start with:\n  countersign propose --words "…" --to 0x… --value 0.1ETH'
      : renderTable(transactions, { ...pageOf(context), now: new Date() }),
  );
}
