import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";

/** Its purpose in the secret store. */
const purpose = "provider-authorization";

type Keeper = {
  readonly ensure: (purpose: string, make: () => Buffer) => Promise<{ readonly value: Buffer }>;
};

const makeKey = (): Buffer =>
  generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ type: "pkcs8", format: "der" });

export type AgentKey = {
  readonly privateKey: () => Promise<KeyObject>;
  readonly publicKey: () => Promise<KeyObject>;
};

/** The key with which this service signs requests to the wallet provider. Created when first needed. */
export function makeAgentKey(keeper: Keeper): AgentKey {
  const privateKey = async (): Promise<KeyObject> => {
    const { value } = await keeper.ensure(purpose, makeKey);
    return createPrivateKey({ key: value, format: "der", type: "pkcs8" });
  };
  return { privateKey, publicKey: async () => createPublicKey(await privateKey()) };
}
