import { Option, type Command } from "commander";
import { resolve } from "node:path";
import { keep, placeOf, welcome } from "../account/account.ts";
import { identify } from "../account/identity.ts";
import { readWallet, walletOf } from "../account/wallet.ts";
import type { Context } from "../context.ts";
import { CliError, usageError } from "../errors.ts";
import { exitCodes } from "../exit-codes.ts";
import { readSecretFile } from "../profiles/secret-file.ts";
import { loginByCode } from "./login-by-code.ts";

const help = `
Without options an agent asks for a key: it shows a link, the owner approves it.
The owner signs in with the wallet; its key is never an argument:
COUNTERSIGN_WALLET_KEY, a file that only you can read, or typed unseen.

Examples:
  countersign login --url https://countersign.example
  countersign login --wallet-file ~/.keys/owner
  countersign login --key-stdin < key.txt`;

type Options = {
  readonly wallet?: boolean;
  readonly walletFile?: string;
  readonly keyStdin?: boolean;
  readonly browser: boolean;
};

export function addLogin(program: Command, context: Context): void {
  program
    .command("login")
    .description("sign in: as an agent with a key, or as the owner")
    .addOption(new Option("--wallet", "as the owner: the wallet signs").conflicts(["keyStdin"]))
    .addOption(
      new Option("--wallet-file <file>", "as the owner, with the key in this file").conflicts(["keyStdin"]),
    )
    .option("--key-stdin", "with an API key that you have, from stdin")
    .option("--no-browser", "print the link, open nothing")
    .addHelpText("after", help)
    .action(async ({ wallet, walletFile, keyStdin, browser }: Options) => {
      if (keyStdin === true) await loginByKey(context);
      else if (wallet === true || walletFile !== undefined) await loginByWallet(context, walletFile);
      else await loginByCode(context, browser);
    });
}

async function loginByKey(context: Context): Promise<void> {
  const place = await placeOf(context);
  const said = context.isTerminal ? await context.readSecret("API key") : await context.readStdin();
  const apiKey = said.trim();
  if (!/^[\x21-\x7e]+$/.test(apiKey))
    throw usageError("There is no API key on stdin.", "countersign login --key-stdin < FILE");
  // Asked before it is kept: a key that is refused would be in the way of a good one.
  const identity = await identify(place.client({ apiKey }));
  await keep(context, place, { apiKey, address: identity.address });
  welcome(context, place, identity);
}

async function loginByWallet(context: Context, walletFile: string | undefined): Promise<void> {
  const place = await placeOf(context);
  const wallet = await walletFrom(context, walletFile);
  const { profile, profileName } = place;
  const { address } = wallet;
  if (profile?.address !== undefined && profile.address.toLowerCase() !== address.toLowerCase())
    throw new CliError(`Profile ${profileName} is of ${profile.address}; this wallet is ${address}.`, {
      ...{ code: "other_account", exitCode: exitCodes.usage },
      hint: "countersign login --wallet --profile NAME   (a profile of its own)",
    });
  const { signIn } = await import("@countersign/sdk/viem");
  const session = await signIn({ url: place.url, fetch: context.fetch, wallet });
  await keep(context, place, {
    ...{ session, address },
    ...(walletFile === undefined ? {} : { walletKeyFile: resolve(walletFile) }),
  });
  welcome(context, place, { as: "owner", address });
}

async function walletFrom(context: Context, walletFile: string | undefined): ReturnType<typeof walletOf> {
  if (walletFile !== undefined) return walletOf(await readSecretFile(walletFile), walletFile);
  const { profile } = await context.settings({ mayBeNew: true });
  const found = await readWallet(context.env, profile);
  if (found !== undefined) return found;
  if (!context.isTerminal)
    throw usageError(
      "There is no wallet key to sign in with.",
      "Set COUNTERSIGN_WALLET_KEY, or: countersign login --wallet-file FILE",
    );
  return walletOf(await context.readSecret("Private key of the owner's wallet"), "what was typed");
}
