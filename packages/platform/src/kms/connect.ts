import { ConfigError } from "../config/index.ts";
import { connectAwsKey } from "./aws.ts";
import { KeyServiceError } from "./errors.ts";
import { connectGoogleKey } from "./google.ts";
import { openKmsAccount, readKmsAddress, type SigningAccount } from "./kms-account.ts";
import { readSigningKeyName, readWrappingKeyName, type KeyName } from "./key-name.ts";
import type { KmsKey } from "./kms-key.ts";
import type { KmsSettings } from "./settings.ts";

function connect(key: KeyName, settings: KmsSettings): Promise<KmsKey> {
  const { AWS_KMS_URL, GOOGLE_KMS_URL, KMS_TIMEOUT_MS: timeoutMs } = settings;
  return key.service === "aws"
    ? connectAwsKey(key, { url: AWS_KMS_URL, timeoutMs })
    : connectGoogleKey(key, { url: GOOGLE_KMS_URL, timeoutMs });
}

function named(key: KeyName | undefined, name: string): KeyName {
  if (key === undefined) throw new ConfigError([`${name} is not the name of a key in a key service`]);
  return key;
}

/** Connects a key that encrypts. The key service itself is first asked when the key is used. */
export const connectWrappingKey = async (name: string, settings: KmsSettings): Promise<KmsKey> =>
  connect(named(readWrappingKeyName(name), name), settings);

type SigningKey = {
  readonly name: string;
  readonly address: string | undefined;
  /** The setting of the address. */
  readonly addressSetting: string;
};

/**
 * Returns the account of a key pair in a key service. Throws a `ConfigError` for problems that the operator has to fix, and
 * a `KeyServiceError` if the service is unavailable.
 */
export async function connectSigningKey(
  { name, address, addressSetting }: SigningKey,
  settings: KmsSettings,
): Promise<SigningAccount> {
  const keyName = named(readSigningKeyName(name), name);
  try {
    const key = await connect(keyName, settings);
    if (address !== undefined) return await openKmsAccount(key, address);
    const found = await readKmsAddress(key);
    throw new ConfigError([
      `${addressSetting} is required: the key in the key service has the address ${found}. Set it if that is the key you created`,
    ]);
  } catch (error) {
    if (error instanceof KeyServiceError && error.code !== "unavailable")
      throw new ConfigError([`${addressSetting.replace(/_ADDRESS$/, "_KEY")}: ${error.message}`]);
    throw error;
  }
}
