// The owner's private key: out of the environment or out of a file that nobody else can read. Never out of an argument,
// which every process on the machine may look at.
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

/** `from` is named where it is wrong; the key itself never is. */
export async function walletOf(key: string, from: string): Promise<LocalAccount> {
  const digits = key.trim().replace(/^0x/, "");
  if (!/^[0-9a-fA-F]{64}$/.test(digits))
    throw usageError(`${from} doesn't contain a private key (64 hex characters).`);
  const { privateKeyToAccount } = await import("viem/accounts");
  try {
    return privateKeyToAccount(`0x${digits}`);
  } catch {
    // Zero, or beyond the order of the curve. What the library says about it would repeat the key.
    throw new CliError(`${from} isn't a valid private key.`, {
      ...{ code: "usage", exitCode: exitCodes.usage },
    });
  }
}
