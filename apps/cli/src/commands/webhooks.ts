import type { Webhook } from "@countersign/sdk";
import type { Command } from "commander";
import type { Context } from "../context.ts";
import { plainLine } from "../terminal/plain-text.ts";
import { tableOf } from "../terminal/table.ts";
import { addDeliveries, healthOf, idCheck } from "./deliveries.ts";

const help = `
Sign in as the owner first: countersign login --wallet

Example:
  countersign webhooks create https://receiver.example/hook > secret.txt`;

type Chosen = { readonly events?: string; readonly description?: string };

export function addWebhooks(program: Command, context: Context): void {
  const group = program
    .command("webhooks")
    .description("be told about changes by signed messages to a URL")
    .helpCommand(false)
    .addHelpText("after", help);
  group
    .command("list")
    .description("list webhooks and their health")
    .action(() => list(context));
  group
    .command("create")
    .argument("<url>", "an https URL on a public host")
    .description("create a webhook; the secret is printed once, on stdout")
    .option("--events <types>", "only messages of these types, separated by commas")
    .option("--description <text>", "a name for the webhook")
    .action((url: string, options: Chosen) => create(context, url, options));
  group
    .command("pause")
    .argument("<id>")
    .description("send nothing until it is resumed; changes meanwhile are not sent later")
    .action((id: string) => setActive(context, id, false));
  group
    .command("resume")
    .argument("<id>")
    .description("send messages again, also after the service deactivated it")
    .action((id: string) => setActive(context, id, true));
  group
    .command("rotate")
    .argument("<id>")
    .description("print a new secret; the previous one is used too for a day")
    .action((id: string) => rotate(context, id));
  addDeliveries(group, context, "webhook");
}

const checkId = idCheck("webhook");

const rowOf = (webhook: Webhook): readonly string[] =>
  [webhook.id, webhook.url, ...healthOf(webhook)].map(plainLine);

async function list(context: Context): Promise<void> {
  const webhooks = await (await context.ownerClient()).webhooks.list();
  context.output.answer({ webhooks }, () =>
    webhooks.length === 0
      ? "No webhooks yet. Create one: countersign webhooks create URL"
      : tableOf(["id", "url", "state", "waiting", "last error"], webhooks.map(rowOf)),
  );
}

async function create(context: Context, url: string, { events, description }: Chosen): Promise<void> {
  const { webhooks } = await context.ownerClient();
  const types = events?.split(",").map((type) => type.trim());
  const made = await webhooks.create({
    url,
    ...(description === undefined ? {} : { description }),
    // The service checks the types.
    ...(types === undefined ? {} : { events: types as Webhook["events"] }),
  });
  context.output.notice(
    `Webhook ${plainLine(made.webhook.id)} created. Save its secret now: it won't be shown again.`,
  );
  context.output.answer(made, () => plainLine(made.secret));
}

async function setActive(context: Context, id: string, active: boolean): Promise<void> {
  checkId(id);
  const webhook = await (await context.ownerClient()).webhooks.update(id, { active });
  context.output.answer({ webhook }, () => (active ? `Resumed ${id}.` : `Paused ${id}.`));
}

async function rotate(context: Context, id: string): Promise<void> {
  checkId(id);
  const rotated = await (await context.ownerClient()).webhooks.rotateSecret(id);
  const until = rotated.webhook.previousSecretUntil ?? "now";
  context.output.notice(`Messages are signed with both secrets until ${plainLine(until)}.`);
  context.output.answer(rotated, () => plainLine(rotated.secret));
}
