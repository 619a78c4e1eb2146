import { resolve } from "node:path";
import { ConfigError } from "../config/index.ts";
import type { KmsSettings } from "../kms/index.ts";
import type { Log } from "../log/index.ts";
import { makeLocalKek, type Keks, type KeyEncryptionKey } from "./key-encryption-key.ts";
import { ensureKeyFile, findKeyFile } from "./key-file.ts";
import { openKmsKeks } from "./kms-kek.ts";
import { openTokenKeks } from "./pkcs11-kek.ts";

/** The part of the service's settings that says where keys are. */
export type KekSettings = KmsSettings & {
  readonly SECRETS_KEY?: string | undefined;
  readonly SECRETS_KEY_FILE: string;
  readonly SECRETS_PREVIOUS_KEYS: readonly string[];
  readonly SECRETS_PKCS11_MODULE?: string | undefined;
  readonly SECRETS_PKCS11_TOKEN?: string | undefined;
  readonly SECRETS_PKCS11_PIN?: string | undefined;
  readonly SECRETS_PKCS11_KEY_LABELS: readonly string[];
  readonly SECRETS_KMS_KEYS: readonly string[];
};

type Surroundings = {
  /** The base of relative paths, so that they do not depend on the working directory. */
  readonly appRoot: string;
  readonly log: Log;
};

async function loadTokenKeks(settings: KekSettings): Promise<readonly KeyEncryptionKey[]> {
  const {
    SECRETS_PKCS11_MODULE: modulePath,
    SECRETS_PKCS11_TOKEN: token,
    SECRETS_PKCS11_PIN: pin,
    SECRETS_PKCS11_KEY_LABELS: labels,
  } = settings;
  if (modulePath === undefined) return [];
  const missing = Object.entries({
    SECRETS_PKCS11_TOKEN: token,
    SECRETS_PKCS11_PIN: pin,
    SECRETS_PKCS11_KEY_LABELS: labels[0],
  })
    .filter(([, value]) => value === undefined)
    .map(([name]) => `${name} is required with SECRETS_PKCS11_MODULE and not set`);
  if (token === undefined || pin === undefined || missing.length > 0) throw new ConfigError(missing);
  return openTokenKeks({ modulePath, token, pin }, labels);
}

const fromText = (text: string): KeyEncryptionKey => makeLocalKek(Buffer.from(text, "base64"));

/** The key file encrypts only where nothing better is set. Otherwise it opens what it once sealed, if it is still there. */
async function loadFileKek(
  settings: KekSettings,
  { appRoot, log }: Surroundings,
  isNeeded: boolean,
): Promise<KeyEncryptionKey | undefined> {
  const path = resolve(appRoot, settings.SECRETS_KEY_FILE);
  if (!isNeeded) {
    const found = await findKeyFile(path);
    return found === undefined ? undefined : makeLocalKek(found);
  }
  const { key, isNew } = await ensureKeyFile(path);
  if (isNew)
    log.warn("made a key for the service's secrets; without this file they are lost", { address: path });
  return makeLocalKek(key);
}

/** Every configured key: the token's, those of key services, SECRETS_KEY, the key file, the previous ones. The first of them encrypts. */
export async function loadKeks(settings: KekSettings, surroundings: Surroundings): Promise<Keks> {
  const better = [
    ...(await loadTokenKeks(settings)),
    ...(await openKmsKeks(settings.SECRETS_KMS_KEYS, settings)),
    ...(settings.SECRETS_KEY === undefined ? [] : [fromText(settings.SECRETS_KEY)]),
  ];
  const file = await loadFileKek(settings, surroundings, better.length === 0);
  const [first, ...others] = [
    ...better,
    ...(file === undefined ? [] : [file]),
    ...settings.SECRETS_PREVIOUS_KEYS.map(fromText),
  ];
  if (first === undefined) throw new ConfigError(["No key for the service's secrets is configured"]);
  return [first, ...others];
}
