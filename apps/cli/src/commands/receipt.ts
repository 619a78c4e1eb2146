import type { Command } from "commander";
import { readHash } from "../call/read-call.ts";
import type { Context } from "../context.ts";
import { jsonText } from "../terminal/plain-text.ts";

export function addReceipt(program: Command, context: Context): void {
  program
    .command("receipt")
    .description("get the receipt: everything needed to check the verdict offline, as JSON")
    .argument("<hash>", "request hash of the proposal")
    .option("--bundle", "with the inputs of the verdict, for countersign replay")
    .addHelpText("after", "\nExample:\n  countersign receipt 0x… > receipt.json")
    .action(async (hash: string, { bundle = false }: { readonly bundle?: boolean }) => {
      const client = await context.client();
      const receipt = await client.receipt(readHash(hash), { signal: context.signal, bundle });
      context.output.answer(receipt, () => jsonText(receipt, 2));
      if (receipt.attestation === null)
        context.output.notice("The receipt has no signed verdict: it isn't checked yet, or wasn't in time.");
    });
}
