import type { Countersign } from "@countersign/sdk";
import type { Command } from "commander";
import type { Context } from "../context.ts";
import { CliError, usageError } from "../errors.ts";
import { exitCodes } from "../exit-codes.ts";
import { plainLine } from "../terminal/plain-text.ts";

const help = `
Approve only if the agent shows the same four characters.

Example:
  countersign connect 3f9a…   (the code or the whole link)`;

type Options = { readonly yes?: boolean };

export function addConnect(program: Command, context: Context): void {
  program
    .command("connect")
    .argument("<code>", "the code or the link that the agent shows")
    .description("connect an agent (owner only)")
    .option("--yes", "skip the question (only without a terminal)")
    .addHelpText("after", help)
    .action((code: string, options: Options) => connect(context, code, options));
}

type Request = {
  readonly status: "pending" | "ready";
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly initiatorAddress: string;
  readonly userAgent: string;
  readonly codePrefix: string;
};

async function connect(context: Context, said: string, options: Options): Promise<void> {
  const code = readCode(said);
  const client = await context.ownerClient();
  const asked = await read(client, code);
  const account = await client.address();
  const { output } = context;
  output.notice(pageOf(asked, account));
  const isConnected = await isMeant(context, asked, options);
  if (isConnected) await client.request("/auth/connect/approve", { method: "POST", body: { code } });
  else context.endWith(exitCodes.no);
  output.answer({ connected: isConnected, account, ...asked }, () =>
    isConnected
      ? `Connected. To remove the agent's key:\n  ${output.program} keys list`
      : "Not connected. The code expires on its own.",
  );
}

function readCode(said: string): string {
  const code = URL.parse(said)?.searchParams.get("code") ?? said;
  if (!/^[0-9a-fA-F]{32}$/.test(code))
    throw usageError("A connection code has 32 hex characters.", "countersign connect --help");
  return code;
}

async function read(client: Countersign, code: string): Promise<Request> {
  const { body } = await client.request<Request>("/auth/connect/info", { query: { code } });
  if (body.status === "ready")
    throw new CliError("This code was already approved.", {
      ...{ code: "already_approved", exitCode: exitCodes.unexpected },
      hint: "countersign keys list   (if that wasn't you, revoke the newest)",
    });
  return body;
}

const pageOf = (asked: Request, account: string): string =>
  [
    `An agent wants to connect to ${plainLine(account)}.`,
    `  calls itself  ${plainLine(asked.userAgent)}`,
    `  IP address    ${plainLine(asked.initiatorAddress)}`,
    `  started       ${plainLine(asked.createdAt)}, expires ${plainLine(asked.expiresAt)}`,
    `  code          starts with ${plainLine(asked.codePrefix)}`,
    "It can propose transactions. It can never approve them.",
  ].join("\n");

/** The owner has to compare the four characters; --yes must not skip this on a terminal. */
async function isMeant(
  { isTerminal, output, confirm }: Context,
  { codePrefix }: Request,
  { yes = false }: Options,
): Promise<boolean> {
  const isAttended = isTerminal && !output.isJson();
  if (yes && isAttended) throw usageError("--yes is for scripts. Compare the code and answer yourself.");
  if (yes) return true;
  if (!isTerminal)
    throw usageError("There's no terminal to ask in.", "Add --yes if you have compared the code");
  return confirm(`Does the agent show ${plainLine(codePrefix)} too? Connect it?`);
}
