// Creates an owner and an agent in the sandbox, funded with test ETH, and saves them as profile `sandbox`.
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createCountersign, type Hex, type Session } from "@countersign/sdk";
import { fetchTrust } from "@countersign/sdk/receipt";
import { signIn } from "@countersign/sdk/viem";
import { generatePrivateKey, type LocalAccount } from "viem/accounts";
import { walletOf } from "../account/wallet.ts";
import type { Context } from "../context.ts";
import { CliError } from "../errors.ts";
import { exitCodes } from "../exit-codes.ts";
import { readSecretFile } from "../profiles/secret-file.ts";
import { isSameOrigin } from "../profiles/settings.ts";
import type { Stack } from "./stack.ts";

const profileName = "sandbox";
const tenEther = 10n ** 19n;

export type SandboxAccount = {
  readonly profile: string;
  readonly address: Hex;
  readonly apiKey: string;
  readonly walletKeyFile: string;
  /** Whether the profile is the current one. */
  readonly isCurrent: boolean;
};

/** Returns the same account each time, as long as the system's data is kept. */
export async function makeAccount(context: Context, stack: Stack): Promise<SandboxAccount> {
  const { profiles, fetch } = context;
  const { api: url, validator: validatorUrl, anvil } = stack.urls;
  const walletKeyFile = join(profiles.directory, "sandbox-wallet.key");
  const wallet = await ownWallet(profiles.directory, walletKeyFile);
  const session = await signIn({ url, wallet, fetch });
  const apiKey = await agentKey(context, url, session);
  const { inbox, serviceRegistry } = stack.contracts;
  const trust = await fetchTrust({ rpcUrl: anvil, serviceRegistry, inbox });
  await fund(context, anvil, wallet.address);
  const { address } = wallet;
  await profiles.change(profileName, () => ({
    ...{ url, validatorUrl, apiKey, session, walletKeyFile, address, trust },
  }));
  const { current } = await profiles.read();
  return { profile: profileName, address, apiKey, walletKeyFile, isCurrent: current === profileName };
}

async function ownWallet(directory: string, file: string): Promise<LocalAccount> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await chmod(directory, 0o700);
  try {
    // Never overwrites an existing key.
    await writeFile(file, `${generatePrivateKey()}\n`, { mode: 0o600, flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  return walletOf(await readSecretFile(file), file);
}

/** Reuses the saved key if the service still accepts it. */
async function agentKey({ profiles, fetch }: Context, url: string, session: Session): Promise<string> {
  const kept = (await profiles.read()).profiles[profileName];
  if (kept?.apiKey !== undefined && isSameOrigin(kept.url, url)) {
    const agent = createCountersign({ url, apiKey: kept.apiKey, fetch });
    const isGood = await agent.keys.self().then(
      () => true,
      () => false,
    );
    if (isGood) return kept.apiKey;
  }
  const owner = createCountersign({ url, session, fetch });
  const { secret } = await owner.keys.create({ name: "sandbox agent" });
  return secret;
}

/** Sets the balance with a development chain's RPC method. */
async function fund({ fetch, signal }: Context, rpcUrl: string, address: Hex): Promise<void> {
  const answer = await fetch(rpcUrl, {
    ...{ method: "POST", headers: { "content-type": "application/json" }, signal },
    body: JSON.stringify({
      ...{ jsonrpc: "2.0", id: 1, method: "anvil_setBalance" },
      params: [address, `0x${tenEther.toString(16)}`],
    }),
  });
  const { error } = (await answer.json()) as { readonly error?: { readonly message?: string } };
  if (error !== undefined)
    throw new CliError(
      `The development chain didn't fund the account: ${error.message ?? "unknown reason"}`,
      {
        ...{ code: "not_funded", exitCode: exitCodes.unexpected },
      },
    );
}
