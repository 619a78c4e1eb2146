import type { Command } from "commander";
import { readHash } from "../call/read-call.ts";
import type { Context } from "../context.ts";
import { answerTransaction } from "./answer-transaction.ts";

export function addWithdraw(program: Command, context: Context): void {
  program
    .command("withdraw")
    .description("withdraw a proposal you made")
    .argument("<hash>", "request hash of the proposal")
    .addHelpText("after", "\nExample:\n  countersign withdraw 0x…")
    .action(async (hash: string) => {
      const client = await context.client();
      const view = await client.withdraw(readHash(hash), { signal: context.signal });
      answerTransaction(context, view);
    });
}
