import type { Log } from "@countersign/platform/log";
import { makeKeyring, type KeySettings } from "../keys/index.ts";

type Parts = {
  readonly settings: KeySettings;
  readonly log: Log;
  readonly print: (line: string) => void;
};

/** Shows the public halves of the service's keys, and first makes those that are not there if it is told to create. */
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
