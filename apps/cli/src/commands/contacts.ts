import type { Contact } from "@countersign/sdk";
import type { Command } from "commander";
import type { Context } from "../context.ts";
import { usageError } from "../errors.ts";
import { exitCodes } from "../exit-codes.ts";
import { isAgreed } from "../terminal/ask.ts";
import { plainLine } from "../terminal/plain-text.ts";
import { tableOf } from "../terminal/table.ts";

const help = `
Names are for display: no verdict depends on them. Agents cannot read them.
Sign in as the owner first: countersign login --wallet

Example:
  countersign contacts add 0x742d35Cc6634C0532925a3b844Bc454e4438f44e "Alice Moreau"`;

export function addContacts(program: Command, context: Context): void {
  const group = program
    .command("contacts")
    .description("manage your address book")
    .helpCommand(false)
    .addHelpText("after", help);
  group
    .command("list")
    .description("list contacts by name")
    .action(() => list(context));
  group
    .command("add")
    .argument("<address>", "an Ethereum address")
    .argument("<name>", "your name for it")
    .description("add a contact, or rename it")
    .option("--note <text>", "a note for yourself")
    .action((address: string, name: string, options: { readonly note?: string }) =>
      add(context, { address, name, ...options }),
    );
  group
    .command("remove")
    .argument("<address>")
    .description("delete a contact")
    .option("--yes", "skip the question")
    .action((address: string, options: { readonly yes?: boolean }) => remove(context, address, options));
}

/** The address becomes part of a URL path. */
function checkAddress(address: string): void {
  if (!/^0x[0-9a-fA-F]{40}$/.test(address))
    throw usageError("That isn't an Ethereum address.", "countersign contacts list");
}

const rowOf = ({ address, name, note }: Contact): readonly string[] =>
  [address, name, note ?? ""].map(plainLine);

async function list(context: Context): Promise<void> {
  const contacts = await (await context.ownerClient()).contacts.list();
  context.output.answer({ contacts }, () =>
    contacts.length === 0
      ? "No contacts yet. Add one: countersign contacts add ADDRESS NAME"
      : tableOf(["address", "name", "note"], contacts.map(rowOf)),
  );
}

type Draft = { readonly address: string; readonly name: string; readonly note?: string };

async function add(context: Context, draft: Draft): Promise<void> {
  checkAddress(draft.address);
  const contact = await (await context.ownerClient()).contacts.save(draft);
  context.output.answer({ contact }, () => plainLine(`${contact.address} is now ${contact.name}.`));
}

async function remove(context: Context, address: string, options: { readonly yes?: boolean }): Promise<void> {
  checkAddress(address);
  const { contacts } = await context.ownerClient();
  const isDeleted = await isAgreed(context, `Delete the contact ${address}?`, options);
  if (isDeleted) await contacts.remove(address);
  else context.endWith(exitCodes.no);
  context.output.answer({ address, deleted: isDeleted }, () =>
    isDeleted ? `Deleted ${address}.` : "Cancelled.",
  );
}
