import type { SecretStore } from "../platform/secrets/index.ts";
import type { Channel } from "./channel.ts";
import { makeSigningKey, secretTextOf } from "./signing.ts";

/** A channel with its new secret, which is returned once and never shown again. */
export type WithSecret = { readonly channel: Channel; readonly secret: string };

const purpose = "webhook-signing";

/** Makes a signing key and stores it encrypted. */
export async function issueSecret(
  secrets: Pick<SecretStore, "save">,
): Promise<{ readonly secretId: string; readonly secret: string }> {
  const value = makeSigningKey();
  return { secretId: await secrets.save({ purpose, value }), secret: secretTextOf(value) };
}
