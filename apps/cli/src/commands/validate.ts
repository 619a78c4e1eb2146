import { validate as ask, type Validation } from "@countersign/sdk";
import type { Command } from "commander";
import { readAddress, readChain } from "../call/read-call.ts";
import { readAsked, type AskedOptions } from "../call/read-proposal.ts";
import type { Context } from "../context.ts";
import { usageError } from "../errors.ts";
import { exitCodes } from "../exit-codes.ts";
import { pageOf } from "../render/page-of.ts";
import { renderReport } from "../render/report.ts";
import { withValidator } from "../sandbox/local-validator.ts";

type Options = AskedOptions & { readonly from?: string; readonly all?: boolean };

export function addValidate(program: Command, context: Context): void {
  program
    .command("validate")
    .description("check with a local validator; nothing is saved")
    .argument("[file]", "a proposal as JSON, or - for stdin")
    .option("--words <text>", "the user's request, word for word")
    .option("--to <address>", "address to call")
    .option("--value <amount>", "0.1ETH, 3gwei, or wei")
    .option("--data <bytes>", "0x…")
    .option("--file <path>", "the same as the argument")
    .option("--from <address>", "sender: who “me” is in the request")
    .option("--chain <number>", "chain ID (default: 11155111)", readChain)
    .option("--all", "list every check, including those that passed")
    .addHelpText(
      "after",
      `\nExit code: 0 for PASS, 4 for REJECT.\n\nExample:\n  countersign validate --words "Send 0.1 ETH to 0x…" --to 0x… --value 0.1ETH`,
    )
    .action(async (file: string | undefined, options: Options) => {
      await validate(context, file === undefined ? options : { ...options, file });
    });
}

async function validate(context: Context, options: Options): Promise<void> {
  const { fetch, signal, output } = context;
  const { words, tx, chainId = 11_155_111, escrowAddress } = await readAsked(options, context, new Date());
  if (tx === undefined)
    throw usageError(
      "validate checks a transaction. Propose typed data instead.",
      "countersign propose FILE",
    );
  const { profile } = await context.settings();
  const from =
    options.from === undefined ? (escrowAddress ?? profile?.address) : readAddress(options.from, "--from");
  const validation: Validation = {
    ...{ intent: words, tx },
    metadata: { chain_id: chainId, ...(from === undefined ? {} : { from }) },
  };
  const report = await withValidator(context, (url) => ask(validation, { url, fetch, signal }));
  const page = renderReport(report, { ...pageOf(context), words, all: options.all === true });
  if (page === undefined) throw usageError("That address isn't a validator.", "--validator-url URL");
  context.endWith(report.decision === "PASS" ? exitCodes.done : exitCodes.no);
  output.answer(report, () => page);
}
