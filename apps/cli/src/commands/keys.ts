import type { ListedApiKey } from "@countersign/sdk";
import type { Command } from "commander";
import type { Context } from "../context.ts";
import { usageError } from "../errors.ts";
import { exitCodes } from "../exit-codes.ts";
import { isAgreed } from "../terminal/ask.ts";
import { plainLine } from "../terminal/plain-text.ts";
import { tableOf } from "../terminal/table.ts";

const help = `
Sign in as the owner first: countersign login --wallet

Example:
  countersign keys create "my agent" --expires 30d > key.txt`;

export function addKeys(program: Command, context: Context): void {
  const group = program
    .command("keys")
    .description("manage API keys")
    .helpCommand(false)
    .addHelpText("after", help);
  group
    .command("list")
    .description("list keys (without secrets)")
    .action(() => list(context));
  group
    .command("create")
    .argument("<name>", "a name for the key")
    .description("create a key; the secret is printed once, on stdout")
    .option("--expires <when>", "30d, 12h or a date")
    .action((name: string, options: { readonly expires?: string }) => create(context, name, options));
  group
    .command("revoke")
    .argument("<id>")
    .description("revoke a key for good")
    .option("--yes", "skip the question")
    .action((id: string, options: { readonly yes?: boolean }) => revoke(context, id, options));
}

async function list(context: Context): Promise<void> {
  const keys = await (await context.ownerClient()).keys.list();
  context.output.answer({ keys }, () =>
    keys.length === 0
      ? "No keys yet. Create one: countersign keys create NAME"
      : tableOf(["id", "name", "key", "state", "expires", "last used"], keys.map(rowOf)),
  );
}

const rowOf = (key: ListedApiKey): readonly string[] =>
  [
    ...[key.id, key.name, `${key.prefix}…`, key.active ? "active" : "revoked"],
    ...[dayOf(key.expiresAt) ?? "never", dayOf(key.lastUsedAt) ?? "never"],
  ].map(plainLine);

const dayOf = (time: string | null): string | undefined => time?.slice(0, 10);

async function create(
  context: Context,
  name: string,
  { expires }: { readonly expires?: string },
): Promise<void> {
  const expiresAt = expires === undefined ? undefined : readExpiry(expires, Date.now());
  const client = await context.ownerClient();
  const { apiKey, secret } = await client.keys.create({
    name,
    ...(expiresAt === undefined ? {} : { expiresAt }),
  });
  context.output.notice(`Key ${plainLine(apiKey.id)} created. Save it now: it won't be shown again.`);
  context.output.answer({ apiKey, secret }, () => plainLine(secret));
}

const hourMs = 3_600_000;

/** Parses `30d`, `12h`, or a future date. */
export function readExpiry(text: string, now: number): Date {
  const [, count, unit] = /^(\d{1,5})([dh])$/.exec(text) ?? [];
  const isDate = /^\d{4}-\d{2}-\d{2}(T.+)?$/.test(text);
  const time =
    count === undefined
      ? isDate
        ? Date.parse(text)
        : Number.NaN
      : now + Number(count) * (unit === "d" ? 24 * hourMs : hourMs);
  if (Number.isNaN(time)) throw usageError("--expires needs 30d, 12h or a date, for example 2027-01-31.");
  if (time <= now) throw usageError("--expires is in the past.");
  return new Date(time);
}

async function revoke(context: Context, id: string, options: { readonly yes?: boolean }): Promise<void> {
  // The ID becomes part of a URL path.
  if (!/^[\w-]+$/.test(id)) throw usageError("That isn't a key ID.", "countersign keys list");
  const client = await context.ownerClient();
  const isRevoked = await isAgreed(context, `Revoke ${id}? Programs that use it stop working.`, options);
  if (isRevoked) await client.keys.revoke(id);
  else context.endWith(exitCodes.no);
  context.output.answer({ id, revoked: isRevoked }, () => (isRevoked ? `Revoked ${id}.` : "Cancelled."));
}
