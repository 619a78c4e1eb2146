import type { Hex, Receipt } from "@countersign/sdk";
import type { Trust, Verification } from "@countersign/sdk/receipt";
import type { Command } from "commander";
import { readAddress, readChain } from "../call/read-call.ts";
import { readDocument } from "../call/read-document.ts";
import type { Context } from "../context.ts";
import { usageError } from "../errors.ts";
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
    .description("check a receipt without asking the service")
    .argument("<file>", "a receipt, or - for stdin")
    .option("--signer <address>", "who has to have signed")
    .option("--inbox <address>", "the installation's Inbox contract")
    .option("--chain <number>", "the installation's home chain", readChain)
    .option("--rpc <url>", "instead of --signer and --chain: a node of the home chain, and …")
    .option("--registry <address>", "… the installation's ServiceRegistry contract there")
    .addHelpText(
      "after",
      "\nWhat is not said comes from the profile. A receipt's own word proves nothing.\n\nExample:\n  countersign verify receipt.json --signer 0x… --inbox 0x… --chain 11155111",
    )
    .action(async (file: string, options: Options) => {
      await verify(context, file, options);
    });
}

async function verify(context: Context, file: string, options: Options): Promise<void> {
  const trust = await trustOf(context, options);
  const receipt = await readDocument(file, context);
  if (typeof membersOf(receipt)["requestHash"] !== "string")
    throw usageError("This is no receipt.", "countersign receipt HASH > receipt.json");
  const { verifyReceipt } = await import("@countersign/sdk/receipt");
  const verification = await verifyReceipt(receipt as Receipt, trust);
  context.endWith(verification.isValid ? exitCodes.done : exitCodes.no);
  context.output.answer({ ...verification, trust }, () => pageFor(context, verification, trust));
}

/** From the options, and what they leave open from the profile. Never from the receipt. */
async function trustOf(context: Context, options: Options): Promise<Trust> {
  const { profile, profileName } = await context.settings();
  const kept: Partial<Trust> = profile?.trust ?? {};
  const said = saidOf(options);
  const { chainId, inbox, signer } = { ...kept, ...said };
  if (options.rpc !== undefined || options.registry !== undefined) return fetched(options, inbox);
  if (inbox === undefined || signer === undefined || chainId === undefined)
    throw missing({ "--signer": signer, "--inbox": inbox, "--chain": chainId });
  if (Object.keys(said).length < 3)
    context.output.notice(`Who has to have signed, and where, is as profile ${profileName} has it.`);
  return { chainId, inbox, signer };
}

const saidOf = ({ signer, inbox, chain }: Options): Partial<Trust> => ({
  ...(signer === undefined ? {} : { signer: readAddress(signer, "--signer") }),
  ...(inbox === undefined ? {} : { inbox: readAddress(inbox, "--inbox") }),
  ...(chain === undefined ? {} : { chainId: chain }),
});

async function fetched({ rpc, registry }: Options, inbox: Hex | undefined): Promise<Trust> {
  if (rpc === undefined || registry === undefined || inbox === undefined)
    throw usageError("--rpc, --registry and --inbox belong together.");
  const { fetchTrust } = await import("@countersign/sdk/receipt");
  return fetchTrust({ rpcUrl: rpc, serviceRegistry: readAddress(registry, "--registry"), inbox });
}

function missing(parts: Readonly<Record<string, unknown>>): Error {
  const names = Object.entries(parts).flatMap(([name, value]) => (value === undefined ? [name] : []));
  return usageError(
    `Not checked. Whom to trust must come from somewhere else than the receipt; missing: ${names.join(", ")}.`,
    "They are published by the installation's operator: --signer --inbox --chain, or --rpc --registry --inbox",
  );
}

function pageFor(context: Context, verification: Verification, { chainId, inbox }: Trust): string {
  const page = pageOf(context);
  const colours = coloursOf(page);
  if (!verification.isValid)
    return [
      colours.bold(colours.red("✗ NOT VALID. Do not rely on this receipt.")),
      ...verification.problems.flatMap((problem) =>
        wrap(plainLine(problem), page.width, { first: "  - ", rest: "    " }),
      ),
    ].join("\n");
  const { decision, signer, issuedAt, validUntil } = verification;
  const now = new Date();
  return [
    colours.bold(colours.green(`✓ VALID. The arbiter said ${decision}, and this is what it said it about.`)),
    ...rows(
      [
        ["signed by", signer],
        ["installation", `Inbox ${inbox} on chain ${chainId}`],
        ["signed", when(issuedAt.toISOString(), now)],
        ["good until", when(validUntil.toISOString(), now)],
      ],
      page.width,
    ),
  ].join("\n");
}
