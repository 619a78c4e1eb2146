// Gets an agent's key: shows a link, waits for the owner's approval, then receives the key once.
import { connect, NotFoundError, type Connected, type Connection } from "@countersign/sdk";
import { keep, placeOf, welcome } from "../account/account.ts";
import { identify } from "../account/identity.ts";
import type { Context } from "../context.ts";
import { CliError } from "../errors.ts";
import { exitCodes } from "../exit-codes.ts";
import { plainLine } from "../terminal/plain-text.ts";

export async function loginByCode(context: Context, mayOpen: boolean): Promise<void> {
  const place = await placeOf(context);
  const { url, client } = place;
  const connection = await connect({ url, fetch: context.fetch, signal: context.signal });
  show(context, connection);
  if (mayOpen && canOpen(context)) await open(context, connection.authUrl);
  const { apiKey, walletAddress: address } = await approved(context, connection);
  // Saves the key first: the service returns it only once.
  await keep(context, place, { apiKey, address });
  welcome(context, place, await identify(client({ apiKey })));
}

function show({ output }: Context, { authUrl, code }: Connection): void {
  output.notice(
    [
      "Ask the account's owner to open this link and approve:",
      `  ${plainLine(authUrl)}`,
      `or to run:  countersign connect ${plainLine(code)}`,
      `The code must start with ${plainLine(code.slice(0, 4))}. If it doesn't, don't approve.`,
    ].join("\n"),
  );
}

/** Opens a browser only if the user sits at this machine. */
const canOpen = ({ isTerminal, env }: Context): boolean =>
  isTerminal && !["CI", "SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY"].some((name) => (env[name] ?? "") !== "");

async function open({ output, openBrowser }: Context, address: string): Promise<void> {
  // The link comes from the service: opens only web URLs.
  if (!/^https?:\/\//.test(address)) return;
  await openBrowser(address).catch(() => {
    output.notice("Couldn't open a browser. Open the link yourself.");
  });
}

async function approved(context: Context, { wait }: Connection): Promise<Connected> {
  const { output, signal } = context;
  const began = Date.now();
  const say = (): void => {
    output.progress(`Waiting for approval… ${Math.floor((Date.now() - began) / 1000)} s (Ctrl-C to stop)`);
  };
  say();
  const timer = setInterval(say, 1_000);
  try {
    return await wait({ signal });
  } catch (error) {
    if (signal.aborted)
      output.notice(
        [
          "Nothing was saved. To start again: countersign login",
          "If the code is approved later, revoke its key.",
        ].join("\n"),
      );
    if (error instanceof NotFoundError)
      throw new CliError("The code expired before it was approved.", {
        ...{ code: "not_approved", exitCode: exitCodes.undecided },
        hint: "countersign login",
      });
    throw error;
  } finally {
    clearInterval(timer);
    output.progress("");
  }
}
