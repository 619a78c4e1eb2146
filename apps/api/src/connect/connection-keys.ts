import { createHmac, randomBytes } from "node:crypto";
import { keyFromBytes, type KeyEnvironment } from "../api-keys/index.ts";

type Kept = { readonly id: string; readonly value: Buffer };
type Keeper = {
  readonly ensure: (purpose: string, make: () => Buffer) => Promise<Kept>;
  readonly read: (id: string) => Promise<Kept>;
};
type Parts = { readonly keeper: Keeper; readonly environment: KeyEnvironment };

const purpose = "connect-key";

export type ConnectionKeys = {
  /** On approval: uses the current secret, whose id must be stored. */
  readonly make: (
    code: string,
    keyId: string,
  ) => Promise<{ readonly key: string; readonly secretId: string }>;
  /** On fetch: derives the same key again, also if that secret has been retired since. */
  readonly remake: (code: string, keyId: string, secretId: string) => Promise<string>;
};

/**
 * The key of a connection is neither random nor stored between approval and fetch: it is derived from the
 * code, which only the agent has, and a secret, which only the service has. Neither of them alone, nor a copy
 * of the database, yields the key.
 */
export function makeConnectionKeys({ keeper, environment }: Parts): ConnectionKeys {
  const derive = (secret: Kept, code: string, keyId: string): string =>
    keyFromBytes("user", environment, createHmac("sha256", secret.value).update(`${code} ${keyId}`).digest());
  return {
    make: async (code, keyId) => {
      const secret = await keeper.ensure(purpose, () => randomBytes(32));
      return { key: derive(secret, code, keyId), secretId: secret.id };
    },
    remake: async (code, keyId, secretId) => derive(await keeper.read(secretId), code, keyId),
  };
}
