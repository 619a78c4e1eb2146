import type { Countersign } from "@countersign/sdk";
import type { Command } from "commander";
import type { Context } from "../context.ts";
import { CliError, usageError } from "../errors.ts";
import { exitCodes } from "../exit-codes.ts";
import { plainLine } from "../terminal/plain-text.ts";

const help = `
Approve only if the program that asks shows the same four characters.

Example:
  countersign connect 3f9a…   (the code or the whole link)`;

type Options = { readonly yes?: boolean };

export function addConnect(program: Command, context: Context): void {
  program
    .command("connect")
    .argument("<code>", "the code or the link that the agent shows")
    .description("as the owner: give an agent that asks a key")
    .option("--yes", "do not ask; only where nobody could answer")
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
      ? `Approved. The agent fetches its key now. To take it back:\n  ${output.program} keys list`
      : "Not approved. The code runs out by itself.",
  );
}

function readCode(said: string): string {
  const code = URL.parse(said)?.searchParams.get("code") ?? said;
  if (!/^[0-9a-fA-F]{32}$/.test(code))
    throw usageError("A connection code has 32 hexadecimal digits.", "countersign connect --help");
  return code;
}

async function read(client: Countersign, code: string): Promise<Request> {
  const { body } = await client.request<Request>("/auth/connect/info", { query: { code } });
  if (body.status === "ready")
    throw new CliError("This code has been approved already.", {
      ...{ code: "already_approved", exitCode: exitCodes.unexpected },
      hint: "countersign keys list   (if it was not you, revoke the newest)",
    });
  return body;
}

const pageOf = (asked: Request, account: string): string =>
  [
    `A program asks for a key to ${plainLine(account)}.`,
    `  it is         ${plainLine(asked.userAgent)}`,
    `  it asks from  ${plainLine(asked.initiatorAddress)}`,
    `  since         ${plainLine(asked.createdAt)}, until ${plainLine(asked.expiresAt)}`,
    `  its code      begins with ${plainLine(asked.codePrefix)}`,
    "With it, it may propose transactions. It can never approve one for you.",
  ].join("\n");

/** The four characters are compared by a person. Where one sits, nothing takes their place. */
async function isMeant(
  { isTerminal, output, confirm }: Context,
  { codePrefix }: Request,
  { yes = false }: Options,
): Promise<boolean> {
  const isAttended = isTerminal && !output.isJson();
  if (yes && isAttended) throw usageError("--yes is for scripts: here you can compare and answer yourself.");
  if (yes) return true;
  if (!isTerminal) throw usageError("Nobody can be asked here.", "Add --yes if you have compared the code");
  return confirm(`Does the program show ${plainLine(codePrefix)} too, and do you want to give it a key?`);
}
