import type { Mandate, MandateDraft } from "@countersign/sdk";
import type { Command } from "commander";
import type { Context } from "../context.ts";
import { notSignedIn, usageError } from "../errors.ts";
import { exitCodes } from "../exit-codes.ts";
import { isAgreed } from "../terminal/ask.ts";
import { plainLine } from "../terminal/plain-text.ts";
import { tableOf } from "../terminal/table.ts";
import { previewText } from "../render/mandate-preview.ts";
import { addInterop } from "./mandates-interop.ts";

const help = `
A mandate lets one agent pay without asking, within limits. Only the owner's
wallet grants one: countersign login --wallet

Examples:
  countersign mandates preview < mandate.json
  countersign mandates grant < mandate.json
  countersign mandates export mandate.json --as erc7715 --delegate 0x…`;

type Sure = { readonly yes?: boolean };
type Previewing = { readonly days: number; readonly against?: string };
type Granting = Sure & { readonly request?: string; readonly replaces?: string };

export function addMandates(program: Command, context: Context): void {
  const group = program
    .command("mandates")
    .description("let an agent pay without asking, within limits")
    .helpCommand(false)
    .addHelpText("after", help);
  group
    .command("list")
    .description("list mandates and what is left of them")
    .action(() => list(context));
  group
    .command("requests")
    .description("list mandates that agents ask for")
    .action(() => listRequests(context));
  group
    .command("preview")
    .description("show what the mandate on stdin would have allowed in the past")
    .option("--days <number>", "how far back, 1 to 365", readDays, 30)
    .option("--against <id>", "one of your mandates to compare with")
    .action((options: Previewing) => preview(context, options));
  group
    .command("grant")
    .description("sign and grant the mandate on stdin, as JSON")
    .option("--request <id>", "the agent's request that it grants")
    .option("--replaces <id>", "a mandate of the same agent, which ends in the same step")
    .option("--yes", "skip the question")
    .action((options: Granting) => grant(context, options));
  group
    .command("ask")
    .description("ask the owner for the mandate on stdin, with an agent's key")
    .action(() => ask(context));
  group
    .command("revoke")
    .argument("<id>")
    .description("end a mandate")
    .option("--yes", "skip the question")
    .action((id: string, options: Sure) => revoke(context, id, options));
  group
    .command("prices")
    .description("list the prices that limits in dollars are counted with")
    .action(() => listPrices(context));
  addInterop(group, context);
}

const dayOf = (unixSeconds: number): string => new Date(unixSeconds * 1000).toISOString().slice(0, 10);

const leftOf = ({ limits }: Mandate): string =>
  limits.map(({ left, most, span }) => `${left} of ${most} (${span})`).join(", ");

const rowOf = (mandate: Mandate): readonly string[] =>
  [mandate.id, mandate.status, mandate.terms.purpose, mandate.agent, leftOf(mandate)]
    .concat(dayOf(mandate.terms.validUntil))
    .map(plainLine);

async function list(context: Context): Promise<void> {
  const mandates = await (await context.client()).mandates.list();
  context.output.answer({ mandates }, () =>
    mandates.length === 0
      ? "No mandates."
      : tableOf(["id", "status", "purpose", "agent", "left", "until"], mandates.map(rowOf)),
  );
}

async function listRequests(context: Context): Promise<void> {
  const requests = await (await context.client()).mandates.requests();
  const row = ({ id, agent, draft }: (typeof requests)[number]): readonly string[] =>
    [id, agent, draft.purpose].map(plainLine);
  context.output.answer({ requests }, () =>
    requests.length === 0 ? "No open requests." : tableOf(["id", "agent", "purpose"], requests.map(row)),
  );
}

async function listPrices(context: Context): Promise<void> {
  const prices = await (await context.client()).mandates.prices();
  const row = ({ asset, usd, source, asOf, usable }: (typeof prices)[number]): readonly string[] =>
    [asset, usd, source, asOf, usable ? "used" : "too old"].map(plainLine);
  context.output.answer({ prices }, () =>
    prices.length === 0
      ? "No prices. Limits in dollars ask the owner about every payment."
      : tableOf(["asset", "dollars", "source", "as of", ""], prices.map(row)),
  );
}

/** The service checks the members. */
async function readDraft({ readStdin }: Pick<Context, "readStdin">): Promise<MandateDraft> {
  try {
    return JSON.parse(await readStdin()) as MandateDraft;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw usageError("stdin must be a mandate as JSON.", "countersign mandates grant < mandate.json");
  }
}

const periodOf = (seconds: number): string =>
  seconds % 86_400 === 0 ? `${seconds / 86_400} d` : `${seconds} s`;

function spanText(span: string, seconds: number): string {
  if (span === "period") return `every ${periodOf(seconds)}`;
  if (span === "rolling") return `in any ${periodOf(seconds)}`;
  return span === "total" ? "in total" : `per ${span}`;
}

/** The terms as the owner's wallet would show them. */
function describe({
  purpose,
  agent,
  acts,
  recipients,
  limits,
  validFrom,
  validUntil,
}: Mandate["terms"]): string {
  const lines = [
    `${purpose} (${agent})`,
    `may:        ${acts.join(", ")}`,
    `recipients: ${recipients.includes("*") ? "ANYONE" : recipients.join(", ")}`,
    ...limits.map(
      ({ measure, span, seconds, most }) => `at most:    ${most} ${measure} ${spanText(span, seconds)}`,
    ),
    `valid:      ${dayOf(validFrom)} to ${dayOf(validUntil)}`,
  ];
  return lines.map(plainLine).join("\n");
}

function readDays(text: string): number {
  const days = Number(text);
  if (!Number.isInteger(days) || days < 1 || days > 365)
    throw usageError("--days must be a whole number from 1 to 365.", "countersign mandates preview --help");
  return days;
}

async function preview(context: Context, { days, against }: Previewing): Promise<void> {
  const draft = await readDraft(context);
  const { mandates } = await context.ownerClient();
  const found = await mandates.preview(draft, { days, ...(against === undefined ? {} : { against }) });
  context.output.answer({ preview: found }, () => previewText(found, days));
}

async function grant(context: Context, { request, replaces, ...options }: Granting): Promise<void> {
  const draft = await readDraft(context);
  const wallet = await context.wallet();
  if (wallet === undefined)
    throw notSignedIn("Granting a mandate needs the owner's wallet.", "countersign login --wallet");
  const { mandates } = await context.ownerClient();
  const { terms } = await mandates.draft(draft);
  context.output.notice(describe(terms));
  if (
    !(await isAgreed(
      context,
      "Sign it? The agent then pays within these limits without asking you.",
      options,
    ))
  ) {
    context.endWith(exitCodes.no);
    context.output.answer({ granted: false }, () => "Cancelled.");
    return;
  }
  const { signMandate } = await import("@countersign/sdk/viem");
  const signature = await signMandate({ wallet, terms });
  const mandate = await mandates.grant({
    terms,
    signature,
    ...(request === undefined ? {} : { requestId: request }),
    ...(replaces === undefined ? {} : { replaces }),
  });
  context.output.answer({ mandate }, () => `Granted: ${plainLine(mandate.id)}`);
}

async function ask(context: Context): Promise<void> {
  const draft = await readDraft(context);
  const request = await (await context.client()).mandates.ask(draft);
  context.output.answer({ request }, () => `Asked: ${plainLine(request.id)}. The owner decides.`);
}

async function revoke(context: Context, id: string, options: Sure): Promise<void> {
  // The ID becomes part of a URL path.
  if (!/^[\w-]+$/.test(id)) throw usageError("That isn't a mandate ID.", "countersign mandates list");
  const { mandates } = await context.client();
  const isRevoked = await isAgreed(
    context,
    `Revoke ${id}? You are then asked about each payment, also those that are approved and not sent.`,
    options,
  );
  if (isRevoked) await mandates.revoke(id);
  else context.endWith(exitCodes.no);
  context.output.answer({ id, revoked: isRevoked }, () => (isRevoked ? `Revoked ${id}.` : "Cancelled."));
}
