import { list, text } from "../config/index.ts";
import { kmsSettings, readWrappingKeyName } from "../kms/index.ts";
import { aesKeyText } from "./key-encryption-key.ts";

/**
 * The settings that say where an app's key-encryption keys are, to be spread into its schema. The return type is left to
 * inference: it is the schema itself.
 */
// eslint-disable-next-line @typescript-eslint/explicit-module-boundary-types -- see above
export const kekSettings = (app: string) => ({
  SECRETS_KEY: text().regex(aesKeyText, "must be 32 bytes in base64").optional().meta({
    secret: true,
    description:
      "The key that the service's own secrets are encrypted under: 32 bytes in base64. Recommended in production, unless the key is in a token or a key service.",
  }),
  SECRETS_KEY_FILE: text()
    .default(".data/secrets.key")
    .describe(
      `Where that key is kept when none of SECRETS_KEY, a token and a key service is set. Made if it is not there; refused if others may read it. A relative path counts from apps/${app}.`,
    ),
  SECRETS_PREVIOUS_KEYS: list()
    .refine((keys) => keys.every((key) => aesKeyText.test(key)), "must each be 32 bytes in base64")
    .prefault("")
    .meta({
      secret: true,
      description:
        "Earlier keys, separated by commas. They open what they once sealed and seal nothing. Needed while anything is still sealed under one.",
    }),
  SECRETS_PKCS11_MODULE: text()
    .optional()
    .describe(
      "Path of a token's PKCS#11 library. With it the service's secrets are encrypted under a key that never leaves the token.",
    ),
  SECRETS_PKCS11_TOKEN: text().optional().describe("Label of that token."),
  SECRETS_PKCS11_PIN: text().optional().meta({ secret: true, description: "PIN of that token's user." }),
  SECRETS_PKCS11_KEY_LABELS: list()
    .prefault("")
    .describe(
      "Labels of AES keys in that token, separated by commas. The first encrypts, all decrypt. A label is never used again for another key.",
    ),
  SECRETS_KMS_KEYS: list()
    .refine(
      (names) => names.every((name) => readWrappingKeyName(name) !== undefined),
      "must each be the ARN of a key in AWS KMS, or projects/…/cryptoKeys/<name> of Google Cloud KMS",
    )
    .prefault("")
    .describe(
      "Keys in AWS KMS (ARN) or Google Cloud KMS (projects/…/cryptoKeys/<name>) that the service's secrets are encrypted under, separated by commas. The first encrypts, all decrypt.",
    ),
  ...kmsSettings,
});
