// Reads the owner's private key from the environment or from a file that only the user can read. Never from an argument, which
// other processes can see.
import type { LocalAccount } from "viem";
import { CliError, usageError } from "../errors.ts";
import { exitCodes } from "../exit-codes.ts";
import type { Profile } from "../profiles/profile-shape.ts";
import { readSecretFile } from "../profiles/secret-file.ts";
import type { Env } from "../profiles/settings.ts";

export async function readWallet(
  env: Env,
  profile: Pick<Profile, "walletKeyFile"> | undefined,
): Promise<LocalAccount | undefined> {
  const said = env["COUNTERSIGN_WALLET_KEY"];
  if (said !== undefined && said !== "") return walletOf(said, "COUNTERSIGN_WALLET_KEY");
  const file = profile?.walletKeyFile;
  return file === undefined ? undefined : walletOf(await readSecretFile(file), file);
}

/** Errors name `from`, never the key. */
export async function walletOf(key: string, from: string): Promise<LocalAccount> {
  const digits = key.trim().replace(/^0x/, "");
  if (!/^[0-9a-fA-F]{64}$/.test(digits))
    throw usageError(`${from} doesn't contain a private key (64 hex characters).`);
  const { privateKeyToAccount } = await import("viem/accounts");
  try {
    return privateKeyToAccount(`0x${digits}`);
  } catch {
    // Zero, or not below the curve order. The library's message would contain the key.
    throw new CliError(`${from} isn't a valid private key.`, {
      ...{ code: "usage", exitCode: exitCodes.usage },
    });
  }
}
