import type { Countersign, TransactionView } from "@countersign/sdk";
import type { Command } from "commander";
import { readHash } from "../call/read-call.ts";
import type { Context } from "../context.ts";
import { CliError, notSignedIn, usageError } from "../errors.ts";
import { exitCodes } from "../exit-codes.ts";
import { pageOf } from "../render/page-of.ts";
import { renderBlocks } from "../render/report.ts";
import { phaseInWords, renderTransaction } from "../render/transaction.ts";
import { plainLine, plainText } from "../terminal/plain-text.ts";
import { answerTransaction } from "./answer-transaction.ts";

type Options = { readonly yes?: boolean; readonly despiteVerdict?: boolean };

export function addApprove(program: Command, context: Context): void {
  program
    .command("approve")
    .description("approve a proposal as the owner")
    .argument("<hash>", "request hash of the proposal")
    .option("-y, --yes", "skip the question (for scripts that already showed it)")
    .option("--despite-verdict", "approve even if it couldn't be verified")
    .addHelpText("after", "\nExample:\n  countersign approve 0x…")
    .action(async (hash: string, options: Options) => {
      await approve(context, readHash(hash), options);
    });
}

async function approve(context: Context, requestHash: string, options: Options): Promise<void> {
  const { output, signal } = context;
  const owner = await ownerOf(context);
  const view = await owner.transaction(requestHash, { signal });
  checkNotOver(view);
  if (view.status !== "PENDING") {
    output.notice("Already approved.");
    return answer(context, owner, requestHash);
  }
  output.notice(await shown(context, owner, view));
  await ask(context, view, options);
  await owner.approve(requestHash, { signal });
  return answer(context, owner, requestHash);
}

async function answer(context: Context, owner: Countersign, requestHash: string): Promise<void> {
  const view = await owner.transaction(requestHash, { signal: context.signal });
  answerTransaction(context, view);
}

/** Returns the owner's client. Throws if only an agent's key is configured. */
async function ownerOf(context: Context): Promise<Countersign> {
  const { session, apiKey } = await context.settings();
  if (session === undefined && apiKey !== undefined && (await context.wallet()) === undefined)
    throw notSignedIn(
      "This is an agent's key, and agents can't approve. Sign in as the owner.",
      "countersign login --wallet   (as the account's owner)",
    );
  return context.ownerClient();
}

function checkNotOver(view: TransactionView): void {
  const { status, requestHash } = view;
  if (status !== "REJECTED" && status !== "FAILED") return;
  throw new CliError(`Already ${status}. ${phaseInWords(view)}`, {
    ...{ code: "already_decided", exitCode: exitCodes.no },
    hint: `countersign status ${plainLine(requestHash)}`,
  });
}

/** Renders the report, or the transaction if there is no report. */
async function shown(context: Context, owner: Countersign, view: TransactionView): Promise<string> {
  const page = pageOf(context, "stderr");
  const [verdict] = view.approvals.orion;
  const { report } =
    verdict === undefined
      ? { report: null }
      : await owner.receipt(view.requestHash, { signal: context.signal });
  const told = renderBlocks(report, { ...page, words: view.description });
  const analysis = told === undefined && verdict?.analysis ? `\n\n${plainText(verdict.analysis)}` : "";
  return `${told ?? renderTransaction(view, { ...page, now: new Date() })}${analysis}\n`;
}

async function ask(context: Context, view: TransactionView, options: Options): Promise<void> {
  const verdict = view.approvals.orion[0]?.decision;
  const warning =
    verdict === "APPROVED"
      ? undefined
      : verdict === undefined
        ? "This hasn't been checked yet."
        : `Verdict: ${verdict}.`;
  if (options.yes !== true) {
    if (!context.isTerminal)
      throw usageError("There's no terminal to ask in.", `countersign approve ${view.requestHash} --yes`);
    await agreed(context, `Approve ${view.requestHash}?`);
  }
  if (warning === undefined || options.despiteVerdict === true) return;
  if (!context.isTerminal || options.yes === true)
    throw new CliError(`${warning} Not approved.`, {
      ...{ code: "not_approved_by_the_arbiter", exitCode: exitCodes.undecided },
      hint: "--despite-verdict, if you know what it does",
    });
  await agreed(context, `${warning} Approve anyway?`);
}

async function agreed(context: Context, question: string): Promise<void> {
  if (await context.confirm(question)) return;
  throw new CliError("Not approved. Nothing has changed.", {
    ...{ code: "not_confirmed", exitCode: exitCodes.undecided },
    hint: "countersign reject HASH   (to reject it)",
  });
}
