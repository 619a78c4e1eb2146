import type { Command } from "commander";
import { readHash } from "../call/read-call.ts";
import type { Context } from "../context.ts";
import { jsonText } from "../terminal/plain-text.ts";

export function addReceipt(program: Command, context: Context): void {
  program
    .command("receipt")
    .description("all that is needed to check a verdict without us, as JSON")
    .argument("<hash>", "its request hash")
    .addHelpText("after", "\nExample:\n  countersign receipt 0x… > receipt.json")
    .action(async (hash: string) => {
      const client = await context.client();
      const receipt = await client.receipt(readHash(hash), { signal: context.signal });
      context.output.answer(receipt, () => jsonText(receipt, 2));
      if (receipt.attestation === null)
        context.output.notice("It holds no signed verdict: nobody has judged this yet, or not in time.");
    });
}
