import { readKey } from "openpgp";
import { readKeyName, type Service } from "./service.ts";
import type { ServiceStore } from "./store/services.ts";

type Parts = { readonly store: Pick<ServiceStore, "findByFingerprint" | "findByKeyId"> };

async function fingerprintIn(armoured: string): Promise<string | undefined> {
  try {
    return (await readKey({ armoredKey: armoured })).getFingerprint();
  } catch {
    return undefined;
  }
}

/** Returns the service that owns the key. */
export const makeFindServiceByKey = ({ store }: Parts) =>
  async function findServiceByKey(key: string): Promise<Service | undefined> {
    const name = readKeyName(key);
    if (name === undefined) return undefined;
    if ("keyId" in name) return store.findByKeyId(name.keyId);
    const fingerprint = "fingerprint" in name ? name.fingerprint : await fingerprintIn(name.armoured);
    return fingerprint === undefined ? undefined : store.findByFingerprint(fingerprint);
  };
