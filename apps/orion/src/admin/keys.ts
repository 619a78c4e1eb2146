import type { Log } from "@countersign/platform/log";
import { makeKeyring, type KeySettings } from "../keys/index.ts";

type Parts = {
  readonly settings: KeySettings;
  readonly log: Log;
  readonly print: (line: string) => void;
};

/** Prints the service's public keys. With `create`, first creates those that do not exist. */
export async function manageKeys(
  { settings, log, print }: Parts,
  action: string | undefined,
): Promise<boolean> {
  if (action !== "create" && action !== "show") return false;
  const create = action === "create";
  const { signer, unsealer } = await makeKeyring(
    { ...settings, VERDICT_KEY_CREATE: create, PGP_KEY_CREATE: create },
    log,
  ).load();
  print(`verdict key, and inbox address: ${signer.address}`);
  print(`OpenPGP fingerprint: ${unsealer.fingerprint}`);
  print(unsealer.publicKey.trim());
  return true;
}
