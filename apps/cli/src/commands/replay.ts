import type { Hex, Receipt } from "@countersign/sdk";
import type { Command } from "commander";
import { readDocument } from "../call/read-document.ts";
import type { Context } from "../context.ts";
import { usageError } from "../errors.ts";
import { exitCodes } from "../exit-codes.ts";
import { coloursOf, rows, wrap } from "../render/layout.ts";
import { pageOf } from "../render/page-of.ts";
import { membersOf } from "../render/read-report.ts";
import { replayVerdict, type Replayed } from "../sandbox/replay-verdict.ts";
import { plainLine } from "../terminal/plain-text.ts";

export function addReplay(program: Command, context: Context): void {
  program
    .command("replay")
    .description("repeat a verdict from its inputs, offline, and compare every member")
    .argument("<file>", "a receipt with its bundle, or - for stdin")
    .addHelpText(
      "after",
      "\nExit code: 0 if it is identical, 4 if anything differs, 5 if it cannot be\nrepeated here (another version, other lists). countersign verify checks the\nsigner.\n\nExample:\n  countersign receipt 0x… --bundle > receipt.json\n  countersign replay receipt.json",
    )
    .action(async (file: string) => {
      await replay(context, file);
    });
}

async function replay(context: Context, file: string): Promise<void> {
  const receipt = await readDocument(file, context);
  const { bundle, report } = membersOf(receipt);
  const { request } = membersOf(bundle);
  if (request === undefined || report === undefined || report === null)
    throw usageError(
      "This isn't a receipt with a bundle.",
      "countersign receipt HASH --bundle > receipt.json",
    );
  const problems = await problemsOf(receipt);
  const replayed: Replayed =
    problems.length === 0
      ? await replayVerdict(context, { request, report })
      : { outcome: "differs", why: problems.join(" "), where: ["receipt"] };
  context.endWith(codes[replayed.outcome]);
  context.output.answer(replayed, () => pageFor(context, replayed));
}

const codes = { identical: exitCodes.done, differs: exitCodes.no, cannot: exitCodes.undecided } as const;

/** Whether the receipt agrees with itself. Whom to trust is not decided here. */
async function problemsOf(receipt: unknown): Promise<readonly string[]> {
  const { verifyReceipt } = await import("@countersign/sdk/receipt");
  const { domain, attestation } = membersOf(receipt);
  const { chainId, verifyingContract } = membersOf(domain);
  const verification = await verifyReceipt(receipt as Receipt, {
    chainId: typeof chainId === "number" ? chainId : 0,
    inbox: textOf(verifyingContract),
    signer: textOf(membersOf(attestation)["signer"]),
  });
  return verification.isValid ? [] : verification.problems;
}

const textOf = (value: unknown): Hex => (typeof value === "string" ? value : "") as Hex;

function pageFor(context: Context, replayed: Replayed): string {
  const page = pageOf(context);
  const colours = coloursOf(page);
  if (replayed.outcome === "identical")
    return [
      colours.bold(colours.green("✓ IDENTICAL. The same inputs give the same verdict.")),
      ...rows([["decision", replayed.decision]], page.width),
    ].join("\n");
  const [title, details] =
    replayed.outcome === "differs"
      ? [colours.red("✗ DIFFERS. Don't rely on this verdict."), replayed.where]
      : [colours.yellow("? NOT REPEATED."), []];
  return [
    colours.bold(title),
    ...[replayed.why, ...details].flatMap((line) =>
      wrap(plainLine(line), page.width, { first: "  - ", rest: "    " }),
    ),
  ].join("\n");
}
