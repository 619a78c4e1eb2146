import { describe as ask } from "@countersign/sdk";
import type { Command } from "commander";
import { readAddress, readCall, readChain, type CallOptions } from "../call/read-call.ts";
import type { Context } from "../context.ts";
import { exitCodes } from "../exit-codes.ts";
import { withValidator } from "../sandbox/local-validator.ts";
import { plainLine } from "../terminal/plain-text.ts";

type Options = CallOptions & { readonly from?: string; readonly chain?: number };

export function addDescribe(program: Command, context: Context): void {
  program
    .command("describe")
    .description("write a transaction as the request it answers; nothing is saved")
    .option("--to <address>", "address to call")
    .option("--value <amount>", "0.1ETH, 3gwei, or wei")
    .option("--data <bytes>", "0x…")
    .option("--from <address>", "sender: who “my wallet” is in the request")
    .option("--chain <number>", "chain ID (default: 11155111)", readChain)
    .addHelpText(
      "after",
      `\nExit code: 0 with the request, 5 if the transaction cannot be described.\n\nExample:\n  countersign describe --to 0x… --value 0.1ETH --chain 1`,
    )
    .action(async (options: Options) => {
      await describe(context, options);
    });
}

async function describe(context: Context, options: Options): Promise<void> {
  const { fetch, signal, output } = context;
  const tx = readCall(options);
  const { profile } = await context.settings();
  const from = options.from === undefined ? profile?.address : readAddress(options.from, "--from");
  const transaction = { tx, chainId: options.chain ?? 11_155_111, ...(from === undefined ? {} : { from }) };
  const description = await withValidator(context, (url) => ask(transaction, { url, fetch, signal }));
  const { request, why } = description;
  context.endWith(request === null ? exitCodes.undecided : exitCodes.done);
  output.answer(description, () => plainLine(request ?? why ?? "This transaction cannot be described."));
}
