import type { Command } from "commander";
import { isHash } from "../call/read-call.ts";
import { readDocument } from "../call/read-document.ts";
import type { Context } from "../context.ts";
import { CliError, usageError } from "../errors.ts";
import { exitCodes, type ExitCode } from "../exit-codes.ts";
import { pageOf } from "../render/page-of.ts";
import { membersOf, textOf } from "../render/read-report.ts";
import { renderReport } from "../render/report.ts";
import { plainLine } from "../terminal/plain-text.ts";

export function addExplain(program: Command, context: Context): void {
  program
    .command("explain")
    .description("explain a verdict")
    .argument("<what>", "a request hash, a saved receipt or report, or - for stdin")
    .option("--all", "list every check, including those that passed")
    .addHelpText(
      "after",
      "\nExit code: 0 for PASS, 4 for REJECT, 5 without a report.\nTo check that a receipt is genuine, use: countersign verify\n\nExample:\n  countersign explain 0x…",
    )
    .action(async (what: string, { all = false }: { readonly all?: boolean }) => {
      await explain(context, what, all);
    });
}

async function explain(context: Context, what: string, all: boolean): Promise<void> {
  const { report, words } = explainedOf(await documentOf(context, what));
  const { decision, outcome, reason } = membersOf(report);
  const page = renderReport(report, {
    ...{ ...pageOf(context), all },
    ...(words === undefined ? {} : { words }),
  });
  if (page === undefined) throw notReported(textOf(reason), outcome === "invalid");
  context.endWith(exitCodeOf(decision));
  context.output.answer(report, () => page);
}

const exitCodeOf = (decision: unknown): ExitCode => (decision === "PASS" ? exitCodes.done : exitCodes.no);

async function documentOf(context: Context, what: string): Promise<unknown> {
  if (!isHash(what)) return readDocument(what, context);
  const client = await context.client();
  return client.receipt(what, { signal: context.signal });
}

type Explained = { readonly report: unknown; readonly words: string | undefined };

/** Accepts a receipt, which contains request and report, or a report. */
function explainedOf(document: unknown): Explained {
  const { requestHash, proposal, report, results } = membersOf(document);
  if (requestHash !== undefined) {
    const { userPrompt } = membersOf(proposal);
    return { report, words: typeof userPrompt === "string" ? userPrompt : undefined };
  }
  if (results === undefined)
    throw usageError("This isn't a receipt or a report.", "countersign receipt HASH > receipt.json");
  return { report: document, words: undefined };
}

/** Without a report, the verification service may have decided itself, for example if the validator was unreachable. */
function notReported(reason: string | null, isInvalid: boolean): CliError {
  if (reason !== null)
    return new CliError(`It wasn't checked: ${plainLine(reason)}`, {
      ...{ code: "no_report", exitCode: isInvalid ? exitCodes.no : exitCodes.undecided },
    });
  return new CliError("There's no report: it isn't checked yet, or it's encrypted.", {
    ...{ code: "no_report", exitCode: exitCodes.undecided },
    hint: "countersign status HASH",
  });
}
