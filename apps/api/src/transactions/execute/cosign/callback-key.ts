// The key that signs our answers. Co-signers accept an answer only with its public key.
import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
import type { SecretStore } from "../../../platform/secrets/index.ts";
import { loadOnce } from "../../../platform/load-once.ts";

const purpose = "cosigner-callback";
const generate = promisify(generateKeyPair);

/** The custodian's co-signer accepts keys of this size only. */
const bits = 2048;

type Secrets = Pick<SecretStore, "listCurrent" | "ensure">;
type CallbackKey = { readonly privateKey: KeyObject; readonly publicPem: string };

async function load(secrets: Secrets): Promise<CallbackKey> {
  const [found] = await secrets.listCurrent(purpose);
  const { value } = found ?? (await secrets.ensure(purpose, await prepare()));
  const privateKey = createPrivateKey({ key: value, format: "der", type: "pkcs8" });
  const publicPem = createPublicKey(privateKey).export({ format: "pem", type: "spki" }).toString();
  return { privateKey, publicPem };
}

/** Created in advance and off the main thread, because it takes a core for a while. */
async function prepare(): Promise<() => Buffer> {
  const { privateKey } = await generate("rsa", { modulusLength: bits });
  return () => privateKey.export({ format: "der", type: "pkcs8" });
}

/** The installation's one key, created on first use by any process. */
export const makeCallbackKey = (secrets: Secrets): (() => Promise<CallbackKey>) =>
  loadOnce(() => load(secrets));
