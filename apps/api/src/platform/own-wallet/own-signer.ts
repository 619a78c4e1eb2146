// The signers of the service's own wallets: a key in a key service, in the settings, or in the secret store.
import { privateKeyToAccount } from "viem/accounts";
import { ConfigError } from "@countersign/platform/config";
import { connectSigningKey, type KmsSettings, type SigningAccount } from "@countersign/platform/kms";
import { loadOnce } from "../load-once.ts";
import { makeSignerKey, type Keeper } from "./signer-key.ts";

export type WalletRole = "registrar" | "recorder";

type WalletSetting = `${Uppercase<WalletRole>}_${"PRIVATE_KEY" | "KMS_KEY" | "KMS_ADDRESS"}`;
type WalletSettings = KmsSettings & Readonly<Partial<Record<WalletSetting, string | undefined>>>;

const prefixOf = (role: WalletRole): Uppercase<WalletRole> =>
  role === "registrar" ? "REGISTRAR" : "RECORDER";

/** Says where the key of a wallet is, without the key. */
export function describeSigner(role: WalletRole, settings: WalletSettings): string {
  const prefix = prefixOf(role);
  const name = settings[`${prefix}_KMS_KEY`];
  if (name !== undefined) return name;
  return settings[`${prefix}_PRIVATE_KEY`] === undefined ? "the secret store" : `${prefix}_PRIVATE_KEY`;
}

/**
 * Returns the signer of one of the service's own wallets. A key service is first asked when the signer is needed, so that
 * its outage delays registrations and not the start. Throws a `ConfigError` if two keys are configured.
 */
export function makeOwnSigner(
  role: WalletRole,
  settings: WalletSettings,
  keeper: Keeper,
): () => Promise<SigningAccount> {
  const prefix = prefixOf(role);
  const [setting, name] = [settings[`${prefix}_PRIVATE_KEY`], settings[`${prefix}_KMS_KEY`]];
  if (name === undefined) {
    const readKey = makeSignerKey({ purpose: `${role}-key`, setting, keeper });
    return async () => privateKeyToAccount(await readKey());
  }
  if (setting !== undefined)
    throw new ConfigError([`${prefix}_PRIVATE_KEY and ${prefix}_KMS_KEY are both set: remove one`]);
  const address = settings[`${prefix}_KMS_ADDRESS`];
  return loadOnce(() =>
    connectSigningKey({ name, address, addressSetting: `${prefix}_KMS_ADDRESS` }, settings),
  );
}
