import type { Channel, ChannelChange, ChannelDraft } from "@countersign/sdk";
import type { Command } from "commander";
import type { Context } from "../context.ts";
import { usageError } from "../errors.ts";
import { plainLine } from "../terminal/plain-text.ts";
import { tableOf } from "../terminal/table.ts";
import { addDeliveries, healthOf, idCheck } from "./deliveries.ts";

const help = `
Sign in as the owner first: countersign login --wallet
The address of a chat is a secret: it is read from stdin, or from hidden input.

Examples:
  countersign channels add slack < hook-url.txt
  countersign channels add telegram --chat -1001234567890 < bot-token.txt
  countersign channels add email alice@example.org`;

type Preferred = { readonly quiet?: string; readonly zone?: string; readonly digest?: string };
type Chosen = { readonly events?: string; readonly description?: string };

export function addChannels(program: Command, context: Context): void {
  const group = program
    .command("channels")
    .description("be told about changes in Slack, Discord, Telegram or by e-mail")
    .helpCommand(false)
    .addHelpText("after", help);
  group
    .command("list")
    .description("list channels and their health")
    .action(() => list(context));
  addKinds(group, context);
  addConfirmation(group, context);
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
    .command("set")
    .argument("<id>")
    .description("choose when messages are sent")
    .option("--quiet <times>", "hold messages back every day, as 22:00-07:00; none to end it")
    .option("--zone <name>", "the time zone of these times, such as Europe/Zurich")
    .option("--digest <how>", "send messages as one: hourly, daily or none")
    .action((id: string, options: Preferred) => prefer(context, id, options));
  addDeliveries(group, context, "channel");
}

function addKinds(group: Command, context: Context): void {
  const add = group.command("add").description("create a channel").helpCommand(false);
  const withChoice = (name: string, description: string): Command =>
    add
      .command(name)
      .description(description)
      .option("--events <types>", "only messages of these types, separated by commas")
      .option("--description <text>", "a name for the channel");
  for (const kind of ["slack", "discord"] as const)
    withChoice(kind, "an incoming webhook, read from stdin").action(async (options: Chosen) =>
      create(context, { kind, url: await readAddress(context, "Incoming webhook") }, options),
    );
  withChoice("telegram", "a chat of a bot, whose token is read from stdin")
    .requiredOption("--chat <id>", "the number or the @name of the chat")
    .action(async ({ chat: chatId, ...options }: Chosen & { readonly chat: string }) =>
      create(
        context,
        { kind: "telegram", botToken: await readAddress(context, "Bot token"), chatId },
        options,
      ),
    );
  withChoice("email", "an address, confirmed with a code that is mailed to it")
    .argument("<address>")
    .action((address: string, options: Chosen) => createMail(context, address, options));
}

function addConfirmation(group: Command, context: Context): void {
  group
    .command("code")
    .argument("<id>")
    .description("mail another code to an e-mail address")
    .action((id: string) => sendCode(context, id));
  group
    .command("confirm")
    .argument("<id>")
    .argument("<code>")
    .description("confirm an e-mail address with the code that was mailed to it")
    .action((id: string, code: string) => confirm(context, id, code));
}

const checkId = idCheck("channel");

async function readAddress(context: Context, name: string): Promise<string> {
  const given = context.isTerminal ? await context.readSecret(name) : await context.readStdin();
  const address = given.trim();
  if (!/^[\x21-\x7e]+$/.test(address))
    throw usageError(`No ${name.toLowerCase()} on stdin.`, "countersign channels add slack < FILE");
  return address;
}

/** Mails the first code. The address is confirmed with a second command. */
async function createMail(context: Context, address: string, chosen: Chosen): Promise<void> {
  const { channels } = await context.ownerClient();
  const { id } = await channels.create({ kind: "email", address, ...choiceOf(chosen) });
  const channel = await channels.sendCode(id);
  context.output.notice(
    `We mailed a code. Confirm the address: countersign channels confirm ${plainLine(id)} CODE`,
  );
  context.output.answer({ channel }, () => plainLine(id));
}

async function sendCode(context: Context, id: string): Promise<void> {
  checkId(id);
  const channel = await (await context.ownerClient()).channels.sendCode(id);
  context.output.answer({ channel }, () => `Mailed a code to ${plainLine(channel.target)}.`);
}

async function confirm(context: Context, id: string, code: string): Promise<void> {
  checkId(id);
  const channel = await (await context.ownerClient()).channels.confirm(id, code);
  context.output.answer({ channel }, () => `Confirmed ${plainLine(channel.target)}.`);
}

const rowOf = (channel: Channel): readonly string[] =>
  [channel.id, channel.kind, channel.target, ...healthOf(channel)].map(plainLine);

async function list(context: Context): Promise<void> {
  const channels = await (await context.ownerClient()).channels.list();
  context.output.answer({ channels }, () =>
    channels.length === 0
      ? "No channels yet. Create one: countersign channels add slack"
      : tableOf(["id", "kind", "target", "state", "waiting", "last error"], channels.map(rowOf)),
  );
}

const choiceOf = ({ events, description }: Chosen) => ({
  ...(description === undefined ? {} : { description }),
  // The service checks the types.
  ...(events === undefined
    ? {}
    : { events: events.split(",").map((type) => type.trim()) as Channel["events"] }),
});

async function create(context: Context, address: ChannelDraft, chosen: Chosen): Promise<void> {
  const { channels } = await context.ownerClient();
  const channel = await channels.create({ ...address, ...choiceOf(chosen) });
  context.output.notice(`Send a test: countersign channels test ${plainLine(channel.id)}`);
  context.output.answer({ channel }, () => plainLine(channel.id));
}

async function setActive(context: Context, id: string, active: boolean): Promise<void> {
  checkId(id);
  const channel = await (await context.ownerClient()).channels.update(id, { active });
  context.output.answer({ channel }, () => (active ? `Resumed ${id}.` : `Paused ${id}.`));
}

function quietOf(times: string): Channel["quietHours"] {
  if (times === "none") return null;
  const [, from, until] = /^(\d\d:\d\d)-(\d\d:\d\d)$/.exec(times) ?? [];
  if (from === undefined || until === undefined)
    throw usageError("Quiet hours look like 22:00-07:00.", "countersign channels set ID --quiet 22:00-07:00");
  return { from, until };
}

async function prefer(context: Context, id: string, { quiet, zone, digest }: Preferred): Promise<void> {
  checkId(id);
  const change: ChannelChange = {
    ...(quiet === undefined ? {} : { quietHours: quietOf(quiet) }),
    ...(zone === undefined ? {} : { timeZone: zone }),
    // The service checks it.
    ...(digest === undefined ? {} : { digest: digest === "none" ? null : (digest as Channel["digest"]) }),
  };
  const channel = await (await context.ownerClient()).channels.update(id, change);
  const { quietHours, timeZone } = channel;
  const silence = quietHours === null ? "no quiet hours" : `quiet ${quietHours.from} to ${quietHours.until}`;
  context.output.answer({ channel }, () =>
    plainLine(`${silence}, ${channel.digest ?? "no"} digest, ${timeZone}`),
  );
}
