import type { Countersign } from "@countersign/sdk";
import type { Command } from "commander";
import { readHash } from "../call/read-call.ts";
import type { Context } from "../context.ts";
import { answerTransaction } from "./answer-transaction.ts";

export function addReject(program: Command, context: Context): void {
  program
    .command("reject")
    .description("reject a proposal, or cancel an approval")
    .argument("<hash>", "request hash of the proposal")
    .addHelpText("after", "\nAn agent can reject, too.\n\nExample:\n  countersign reject 0x…")
    .action(async (text: string) => {
      const { signal } = context;
      const requestHash = readHash(text);
      const client = await ownerOrAgent(context);
      await client.reject(requestHash, { signal });
      const view = await client.transaction(requestHash, { signal });
      answerTransaction(context, view);
    });
}

/** Prefers the owner, since the decision is recorded by role. */
async function ownerOrAgent(context: Context): Promise<Countersign> {
  const { session } = await context.settings();
  const isOwner = session !== undefined || (await context.wallet()) !== undefined;
  return isOwner ? context.ownerClient() : context.client();
}
