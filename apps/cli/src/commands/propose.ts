import type { Hex, Proposal, Transaction } from "@countersign/sdk";
import type { Command } from "commander";
import { readChain } from "../call/read-call.ts";
import { readAsked, type Asked, type AskedOptions } from "../call/read-proposal.ts";
import type { Context } from "../context.ts";
import { notSignedIn, usageError } from "../errors.ts";
import { when } from "../render/times.ts";
import { findInput, inputs, sandboxChainId } from "../sandbox/inputs.ts";
import { watch } from "./watch.ts";

type Options = AskedOptions & {
  readonly sandbox?: string;
  readonly signWords?: boolean;
  readonly watch?: boolean;
};

export function addPropose(program: Command, context: Context): void {
  program
    .command("propose")
    .description("propose a transaction and have it checked against the request")
    .argument("[file]", "a proposal as JSON, or - for stdin")
    .option("--words <text>", "the user's request, word for word")
    .option("--to <address>", "address to call")
    .option("--value <amount>", "0.1ETH, 3gwei, or wei")
    .option("--data <bytes>", "0x…")
    .option("--file <path>", "the same as the argument")
    .option("--chain <number>", "chain ID (default: 11155111)", readChain)
    .option("--escrow <address>", "wallet to send from (default: your account)")
    .option("--deadline <span>", "expires after: 30m, 2h, 1d")
    .option("--sign-words", "sign the request with the owner's wallet")
    .option("--sandbox <name>", "a test proposal, see: countersign sandbox inputs")
    .option("--watch", "wait for the verdict")
    .addHelpText(
      "after",
      `\nExample:\n  countersign propose --words "Send 0.1 ETH to 0x…" --to 0x… --value 0.1ETH --watch`,
    )
    .action(async (file: string | undefined, options: Options) => {
      await propose(context, file === undefined ? options : { ...options, file });
    });
}

async function propose(context: Context, options: Options): Promise<void> {
  const { output, signal } = context;
  const client = await context.client();
  const now = new Date();
  const asked =
    options.sandbox === undefined
      ? await readAsked(options, context, now)
      : inputOf(options.sandbox, await client.address({ signal }), now);
  const proposal = await proposalOf(context, asked, options.signWords === true);
  const transaction = await client.propose(proposal, { signal });
  const { requestHash, status, phase, expiresAt } = transaction;
  if (options.watch === true && output.isJson())
    output.item({ requestHash, status, phase, expiresAt }, () => "");
  else output.answer(transaction, () => (output.isLive() ? `Proposed: ${requestHash}` : requestHash));
  output.prose(nextSteps(transaction, now));
  if (options.watch !== true) output.notice(`  ${output.program} watch ${requestHash}`);
  if (options.watch === true) await watch(context, requestHash, { until: "verdict", timeout: "10m" });
}

function nextSteps({ expiresAt }: Transaction, now: Date): string {
  const kept = "Saved. Checking it now.";
  const until = expiresAt === null ? "" : ` It expires ${when(expiresAt, now)}.`;
  return `${kept}${until}`;
}

export function inputOf(name: string, account: Hex, now: Date): Asked {
  const input = findInput(name);
  if (input === undefined)
    throw usageError(
      `Unknown input. Available: ${inputs.map((one) => one.name).join(", ")}.`,
      "countersign sandbox inputs",
    );
  return {
    ...{ words: input.words, tx: input.call(account), chainId: sandboxChainId },
    ...(input.deadlineMs === undefined ? {} : { deadline: new Date(now.getTime() + input.deadlineMs) }),
  };
}

export async function proposalOf(
  context: Pick<Context, "wallet">,
  { words, ...rest }: Asked,
  isSigned: boolean,
): Promise<Proposal> {
  const proposal: Proposal = { ...rest, userPrompt: words };
  if (!isSigned) return proposal;
  const wallet = await context.wallet();
  if (wallet === undefined)
    throw notSignedIn("Signing the request needs the owner's wallet.", "countersign login --wallet");
  const { signWords } = await import("@countersign/sdk/viem");
  const { chainId } = proposal;
  const signed = { wallet, userPrompt: words, ...(chainId === undefined ? {} : { chainId }) };
  return { ...proposal, intentSignature: await signWords(signed) };
}
