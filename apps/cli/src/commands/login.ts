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
Without options: asks for a key. The owner approves it in a browser.
The owner signs in with a wallet. Its key is never an argument:
COUNTERSIGN_WALLET_KEY, a file only you can read, or hidden input.

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
    .description("sign in as an agent or as the owner")
    .addOption(new Option("--wallet", "sign in as the owner with a wallet").conflicts(["keyStdin"]))
    .addOption(
      new Option("--wallet-file <file>", "sign in as the owner with the key in this file").conflicts([
        "keyStdin",
      ]),
    )
    .option("--key-stdin", "use an existing API key, from stdin")
    .option("--no-browser", "print the link instead of opening a browser")
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
    throw usageError("No API key on stdin.", "countersign login --key-stdin < FILE");
  // Checks the key before saving it, so that a rejected key does not replace a valid one.
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
    throw new CliError(`Profile ${profileName} belongs to ${profile.address}. This wallet is ${address}.`, {
      ...{ code: "other_account", exitCode: exitCodes.usage },
      hint: "countersign login --wallet --profile NAME   (uses a separate profile)",
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
      "No wallet key found.",
      "Set COUNTERSIGN_WALLET_KEY, or: countersign login --wallet-file FILE",
    );
  return walletOf(await context.readSecret("Private key of the owner's wallet"), "The input");
}
