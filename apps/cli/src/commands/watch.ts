import {
  CountersignError,
  type Countersign,
  type Status,
  type TransactionView,
  type Verdict,
} from "@countersign/sdk";
import { Option, type Command } from "commander";
import { readHash } from "../call/read-call.ts";
import type { Context } from "../context.ts";
import { usageError } from "../errors.ts";
import { exitCodes, type ExitCode } from "../exit-codes.ts";
import { pageOf } from "../render/page-of.ts";
import { renderShort } from "../render/report.ts";
import { readSpan, span } from "../render/times.ts";
import { renderProgress } from "../render/transaction.ts";
import { plainText } from "../terminal/plain-text.ts";

type Until = "verdict" | "approved" | "executed";

export function addWatch(program: Command, context: Context): void {
  program
    .command("watch")
    .description("wait for a proposal's verdict")
    .argument("<hash>", "request hash of the proposal")
    .addOption(
      new Option("--until <what>", "what to wait for")
        .choices(["verdict", "approved", "executed"])
        .default("verdict"),
    )
    .option("--timeout <span>", "longest wait: 90s, 10m, 1h", "10m")
    .addHelpText(
      "after",
      "\nExit code: 0 approved, 4 rejected, 5 not decided.\n\nExample:\n  countersign watch 0x… --until executed",
    )
    .action(async (hash: string, options: { readonly until: Until; readonly timeout: string }) => {
      await watch(context, readHash(hash), options);
    });
}

export type WatchOptions = { readonly until: Until; readonly timeout: string };

/** Prints each phase, then the outcome. Sets the exit code. */
export async function watch(
  context: Context,
  requestHash: string,
  { until, timeout }: WatchOptions,
): Promise<void> {
  const { output, signal } = context;
  const timeoutMs = readSpan(timeout);
  if (timeoutMs === undefined) throw usageError("--timeout needs a duration: 90s, 10m or 1h.");
  const client = await context.client();
  const ticker = makeTicker(context);
  try {
    const options = { timeoutMs, signal, onProgress: ticker.onProgress };
    const view = await waitFor(client, requestHash, until, options);
    ticker.stop();
    await conclude(context, client, view, until);
  } catch (error) {
    ticker.stop();
    if (signal.aborted)
      output.notice(
        `Stopped watching. The proposal continues. To watch again:\n  ${output.program} watch ${requestHash}`,
      );
    throw error;
  }
}

type Waiting = {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly onProgress: (view: TransactionView) => void;
};

const wanted: Readonly<Record<Exclude<Until, "verdict">, readonly Status[]>> = {
  approved: ["APPROVED"],
  executed: ["EXECUTED"],
};

async function waitFor(
  client: Countersign,
  requestHash: string,
  until: Until,
  options: Waiting,
): Promise<TransactionView> {
  if (until !== "verdict") return client.waitForStatus(requestHash, wanted[until], options);
  let last: TransactionView | undefined;
  const onProgress = (view: TransactionView): void => {
    last = view;
    options.onProgress(view);
  };
  try {
    await client.waitForVerdict(requestHash, { ...options, onProgress });
  } catch (error) {
    // A final state without a verdict is an outcome, shown by the view.
    const isOver = last?.status === "REJECTED" || last?.status === "FAILED" || last?.status === "EXECUTED";
    if (!isOver || !(error instanceof CountersignError)) throw error;
  }
  return client.transaction(requestHash, { signal: options.signal });
}

/** Prints a line for each phase, with a running timer on a terminal. */
function makeTicker(context: Context) {
  const { output } = context;
  const began = performance.now();
  const elapsed = (): number => performance.now() - began;
  let seen = "";
  // The line above names the phase.
  const show = (): void => {
    if (!output.isJson()) output.progress(`${span(elapsed()).padEnd(8)} …`);
  };
  const timer = setInterval(show, 1000);
  return {
    onProgress: (view: TransactionView): void => {
      const [verdict] = view.approvals.orion;
      const news = `${view.phase} ${verdict?.decision ?? ""}`;
      if (news === seen) return;
      seen = news;
      output.item({ ...eventOf(view), elapsedMs: Math.round(elapsed()) }, () =>
        renderProgress(view, elapsed(), pageOf(context)),
      );
    },
    stop: (): void => {
      clearInterval(timer);
      output.progress("");
    },
  };
}

const eventOf = ({ requestHash, status, phase, reason, approvals }: TransactionView) => ({
  ...{ requestHash, status, phase, reason, verdict: approvals.orion[0]?.decision ?? null },
});

async function conclude(
  context: Context,
  client: Countersign,
  view: TransactionView,
  until: Until,
): Promise<void> {
  const { output, signal } = context;
  const { requestHash, approvals } = view;
  const [verdict] = approvals.orion;
  context.endWith(exitCodeOf(view, until));
  if (output.isJson()) {
    output.item({ ...eventOf(view), analysis: verdict?.analysis ?? null, isLast: true }, () => undefined);
    return;
  }
  if (verdict !== undefined && isByVerdict(view, verdict)) {
    const { report } = await client.receipt(requestHash, { signal });
    const short =
      renderShort(report, pageOf(context)) ??
      plainText(verdict.analysis === "" ? verdict.decision : verdict.analysis);
    output.item(undefined, () => `\n${short}`);
  }
  const next = nextOf(view, verdict, output.program);
  if (next !== undefined) output.notice(next);
}

/** Whether the verdict explains the final state. A proposal that ended for another reason must not close with PASS. */
const isByVerdict = ({ status }: TransactionView, { decision }: Verdict): boolean =>
  decision === "REJECTED" || (status !== "REJECTED" && status !== "FAILED");

function nextOf(
  { status, requestHash }: TransactionView,
  verdict: Verdict | undefined,
  program: string,
): string | undefined {
  if (status === "PENDING" && verdict !== undefined && verdict.decision !== "REJECTED")
    return `Needs the owner's decision:\n  ${program} approve ${requestHash}`;
  return verdict?.decision === "REJECTED" ? `Details:\n  ${program} explain ${requestHash}` : undefined;
}

/** Depends on --until: a verdict counts even while the owner's decision is pending. */
function exitCodeOf({ status, phase, approvals }: TransactionView, until: Until): ExitCode {
  const decision = until === "verdict" ? approvals.orion[0]?.decision : undefined;
  if (status === "REJECTED" || status === "FAILED" || decision === "REJECTED") return exitCodes.no;
  if (phase === "LAPSED" && until !== "verdict") return exitCodes.undecided;
  if (status === "APPROVED" || status === "EXECUTED" || decision === "APPROVED") return exitCodes.done;
  return exitCodes.undecided;
}
