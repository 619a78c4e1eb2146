// Orion's keys in a development stack: created once and stored with its data. The public keys are registered on chain.
import { join } from "node:path";
import { loadConfig } from "@countersign/platform/config";
import { makeLog } from "@countersign/platform/log";
import { Config } from "../../apps/orion/src/config.ts";
import { makeKeyring } from "../../apps/orion/src/keys/index.ts";

export type OrionKeys = {
  readonly inbox: `0x${string}`;
  readonly fingerprint: string;
  readonly armouredKey: string;
};

/** The settings that say where they are. */
export const orionKeyFiles = (dir: string): Readonly<Record<string, string>> => ({
  VERDICT_KEY_FILE: join(dir, "verdict-key.json"),
  PGP_KEY_FILE: join(dir, "pgp-key.asc"),
  SECRETS_KEY_FILE: join(dir, "secrets.key"),
});

const loadKeys = (dir: string) => {
  const settings = loadConfig(Config, {
    ...orionKeyFiles(dir),
    VERDICT_KEY_CREATE: "true",
    PGP_KEY_CREATE: "true",
  });
  return makeKeyring(settings, makeLog({ app: "orion", level: "silent" })).load();
};

export async function ensureOrionKeys(dir: string): Promise<OrionKeys> {
  const { signer, unsealer } = await loadKeys(dir);
  const { fingerprint, publicKey: armouredKey } = unsealer;
  return { inbox: signer.address, fingerprint, armouredKey };
}

type OrionSigner = Awaited<ReturnType<typeof loadKeys>>["signer"];

/** Signs verdicts as the stack's own verification service, for tests that take its place. */
export const loadOrionSigner = async (dir: string): Promise<OrionSigner> => (await loadKeys(dir)).signer;
