import { CountersignError, type Hex, type Receipt } from "@countersign/sdk";
import type { Trust, Verification } from "@countersign/sdk/receipt";
import type { Command } from "commander";
import { readAddress, readChain } from "../call/read-call.ts";
import { readDocument } from "../call/read-document.ts";
import type { Context } from "../context.ts";
import { CliError, usageError } from "../errors.ts";
import { exitCodes } from "../exit-codes.ts";
import { coloursOf, rows, wrap } from "../render/layout.ts";
import { pageOf } from "../render/page-of.ts";
import { membersOf } from "../render/read-report.ts";
import { when } from "../render/times.ts";
import { plainLine } from "../terminal/plain-text.ts";

type Options = {
  readonly signer?: string;
  readonly inbox?: string;
  readonly chain?: number;
  readonly rpc?: string;
  readonly registry?: string;
};

export function addVerify(program: Command, context: Context): void {
  program
    .command("verify")
    .description("check a receipt offline")
    .argument("<file>", "a receipt, or - for stdin")
    .option("--signer <address>", "expected signer")
    .option("--inbox <address>", "the installation's Inbox contract")
    .option("--chain <number>", "the installation's home chain", readChain)
    .option("--rpc <url>", "instead of --signer and --chain: a node of the home chain, with --registry")
    .option("--registry <address>", "with --rpc: the installation's ServiceRegistry contract")
    .addHelpText(
      "after",
      "\nMissing options come from your profile, never from the receipt itself. Without\neither, only the receipt's consistency is checked (exit code 5).\n\nExample:\n  countersign verify receipt.json --signer 0x… --inbox 0x… --chain 11155111",
    )
    .action(async (file: string, options: Options) => {
      await verify(context, file, options);
    });
}

async function verify(context: Context, file: string, options: Options): Promise<void> {
  const receipt = await readDocument(file, context);
  if (typeof membersOf(receipt)["requestHash"] !== "string")
    throw usageError("This isn't a receipt.", "countersign receipt HASH > receipt.json");
  const trust = await trustOf(context, options);
  const { verifyReceipt } = await import("@countersign/sdk/receipt");
  if (trust === undefined) {
    await checkAlone(context, receipt, verifyReceipt);
    return;
  }
  const verification = await verifyReceipt(receipt as Receipt, trust);
  context.endWith(verification.isValid ? exitCodes.done : exitCodes.no);
  context.output.answer({ ...verification, trust }, () => pageFor(context, verification, trust));
}

/**
 * Checks a receipt without trust. Its claimed signer proves nothing, so the best outcome is "not verified"; an inconsistent
 * receipt is invalid in any case.
 */
async function checkAlone(
  context: Context,
  receipt: unknown,
  verifyReceipt: (receipt: Receipt, trust: Trust) => Promise<Verification>,
): Promise<void> {
  const claimed = claimsOf(receipt);
  const verification = await verifyReceipt(receipt as Receipt, claimed);
  if (!verification.isValid) {
    context.endWith(exitCodes.no);
    context.output.answer(verification, () => pageFor(context, verification, claimed));
    return;
  }
  context.endWith(exitCodes.undecided);
  const { isValid: _, ...found } = verification;
  context.output.answer({ isValid: null, isConsistent: true, claimed, ...found }, () =>
    unverifiedPage(context, verification, claimed),
  );
}

const textOf = (value: unknown): Hex => (typeof value === "string" ? value : "") as Hex;

function claimsOf(receipt: unknown): Trust {
  const { domain, attestation } = membersOf(receipt);
  const { chainId, verifyingContract } = membersOf(domain);
  return {
    chainId: typeof chainId === "number" ? chainId : 0,
    inbox: textOf(verifyingContract),
    signer: textOf(membersOf(attestation)["signer"]),
  };
}

/**
 * Returns the trust from options, completed from the profile, never from the receipt. Returns undefined if neither has any.
 * Skips the profile if the options are complete, so that a broken profile file does not matter.
 */
async function trustOf(context: Context, options: Options): Promise<Trust | undefined> {
  const said = saidOf(options);
  const isByChain = options.rpc !== undefined || options.registry !== undefined;
  const isComplete = isByChain ? said.inbox !== undefined : Object.keys(said).length === 3;
  const { kept, profileName } = isComplete ? { kept: {}, profileName: "" } : await keptOf(context);
  const { chainId, inbox, signer } = { ...kept, ...said };
  if (isByChain) return fetched(options, inbox);
  if (chainId === undefined && inbox === undefined && signer === undefined) return undefined;
  if (inbox === undefined || signer === undefined || chainId === undefined)
    throw missing({ "--signer": signer, "--inbox": inbox, "--chain": chainId });
  if (!isComplete) context.output.notice(`Signer and installation come from profile ${profileName}.`);
  return { chainId, inbox, signer };
}

async function keptOf(
  context: Context,
): Promise<{ readonly kept: Partial<Trust>; readonly profileName: string }> {
  try {
    const { profile, profileName } = await context.settings();
    return { kept: profile?.trust ?? {}, profileName };
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    context.output.notice(`No profile used: ${error.message}`);
    return { kept: {}, profileName: "" };
  }
}

const saidOf = ({ signer, inbox, chain }: Options): Partial<Trust> => ({
  ...(signer === undefined ? {} : { signer: readAddress(signer, "--signer") }),
  ...(inbox === undefined ? {} : { inbox: readAddress(inbox, "--inbox") }),
  ...(chain === undefined ? {} : { chainId: chain }),
});

async function fetched({ rpc, registry }: Options, inbox: Hex | undefined): Promise<Trust> {
  if (rpc === undefined || registry === undefined || inbox === undefined)
    throw usageError("Use --rpc, --registry and --inbox together.");
  const { fetchTrust } = await import("@countersign/sdk/receipt");
  try {
    return await fetchTrust({ rpcUrl: rpc, serviceRegistry: readAddress(registry, "--registry"), inbox });
  } catch (error) {
    throw explainTrustFailure(error);
  }
}

/** By name, since viem is loaded lazily. */
const isOutage = (error: unknown): boolean =>
  error instanceof Error &&
  (["HttpRequestError", "TimeoutError"].includes(error.name) || isOutage(error.cause));

/** Distinguishes an outage from a node without the registry, which means a wrong address. */
function explainTrustFailure(error: unknown): unknown {
  if (!(error instanceof CountersignError)) return error;
  return isOutage(error)
    ? new CliError("Not checked. The node at --rpc doesn't answer.", {
        ...{ code: "unreachable", exitCode: exitCodes.unreachable },
        hint: "countersign verify FILE --signer 0x… --inbox 0x… --chain 1   (needs no network)",
      })
    : new CliError(`Not checked. ${error.message}.`, {
        ...{ code: "no_registry", exitCode: exitCodes.notFound },
        hint: "Compare --rpc and --registry with what the installation's operator published",
      });
}

function missing(parts: Readonly<Record<string, unknown>>): Error {
  const names = Object.entries(parts).flatMap(([name, value]) => (value === undefined ? [name] : []));
  return usageError(
    `Not checked. The receipt can't say whom to trust. Missing: ${names.join(", ")}.`,
    "They are published by the installation's operator: --signer --inbox --chain, or --rpc --registry --inbox",
  );
}

function pageFor(context: Context, verification: Verification, { chainId, inbox }: Trust): string {
  const page = pageOf(context);
  const colours = coloursOf(page);
  if (!verification.isValid)
    return [
      colours.bold(colours.red("✗ NOT VALID. Don't rely on this receipt.")),
      ...verification.problems.flatMap((problem) =>
        wrap(plainLine(problem), page.width, { first: "  - ", rest: "    " }),
      ),
    ].join("\n");
  const { decision, signer, issuedAt, validUntil } = verification;
  const now = new Date();
  return [
    colours.bold(colours.green(`✓ VALID. Verdict: ${decision}. It covers exactly this proposal.`)),
    ...rows(
      [
        ["signed by", signer],
        ["installation", `Inbox ${inbox} on chain ${chainId}`],
        ["signed", when(issuedAt.toISOString(), now)],
        ["valid until", when(validUntil.toISOString(), now)],
      ],
      page.width,
    ),
  ].join("\n");
}

function unverifiedPage(
  context: Context,
  { decision }: Extract<Verification, { isValid: true }>,
  { chainId, inbox, signer }: Trust,
): string {
  const page = pageOf(context);
  const colours = coloursOf(page);
  return [
    colours.bold(colours.yellow("? NOT VERIFIED. The receipt is consistent, but its signer wasn't checked.")),
    ...rows(
      [
        ["claims", decision],
        ["signed by", signer],
        ["installation", `Inbox ${inbox} on chain ${chainId}`],
      ],
      page.width,
    ),
    ...wrap(
      "Anyone can create a consistent receipt. Compare the signer and the Inbox with what the installation's operator published, then pass them with --signer, --inbox and --chain.",
      page.width,
      { first: "", rest: "" },
    ),
  ].join("\n");
}
