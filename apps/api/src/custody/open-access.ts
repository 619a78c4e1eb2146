import { createPrivateKey } from "node:crypto";
import type { Access } from "../adapters/custodian/index.ts";
import type { SecretStore } from "../platform/secrets/index.ts";
import type { Completed } from "./integration.ts";

export const keyPurpose = "custody-key";
export const credentialPurpose = "custody-credential";

/** Reads the custodian's credentials for one use. Callers must not keep them. */
export const makeOpenAccess =
  ({ secrets }: { readonly secrets: Pick<SecretStore, "read"> }) =>
  async ({ keySecretId, completion }: Completed): Promise<Access> => {
    const { credentialSecretId, vaultAccountId, environment, region } = completion;
    const [key, credential] = await Promise.all([
      secrets.read(keySecretId),
      secrets.read(credentialSecretId),
    ]);
    return {
      apiKey: credential.value.toString("utf8"),
      privateKey: createPrivateKey({ key: key.value, format: "der", type: "pkcs8" }),
      ...{ vaultAccountId, environment, region },
    };
  };
