import type { Environment } from "../config/index.ts";
import type { KekSettings } from "./load-keks.ts";

/** In production the key that secrets are encrypted under is the operator's, or in a file that the operator named. */
export const refuseMadeKey = (
  {
    SECRETS_KEY,
    SECRETS_PKCS11_MODULE,
    SECRETS_KMS_KEYS,
  }: Pick<KekSettings, "SECRETS_KEY" | "SECRETS_PKCS11_MODULE" | "SECRETS_KMS_KEYS">,
  { SECRETS_KEY_FILE = "" }: Environment,
): readonly string[] =>
  SECRETS_KEY === undefined &&
  SECRETS_PKCS11_MODULE === undefined &&
  SECRETS_KMS_KEYS.length === 0 &&
  SECRETS_KEY_FILE === ""
    ? [
        "SECRETS_KEY, SECRETS_PKCS11_MODULE, SECRETS_KMS_KEYS or SECRETS_KEY_FILE is required in production: a key made at the default path is for development",
      ]
    : [];
