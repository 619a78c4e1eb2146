import { newId } from "@countersign/platform/ids";
import type { Log } from "@countersign/platform/log";
import { scopesOf, type KeyLabel } from "./api-key.ts";
import { isWellFormedKey, recognisable, type KeyType } from "./key-format.ts";
import { hmacOf, type Peppers } from "./peppers.ts";
import type { ApiKeyStore } from "./store.ts";

type ServerKeyType = Exclude<KeyType, "user">;

const defaultLabels: Readonly<Record<ServerKeyType, KeyLabel>> = { admin: "agent", orion: "orion" };

type Parts = { readonly store: ApiKeyStore; readonly peppers: Peppers; readonly log: Log };

/**
 * Keys that the operator gives by the environment, for a first start without hands. They are kept like any other, and the
 * same key given again is the same row. Which key it is goes to the log, never the key.
 */
export const makeEnsureServerKeys = ({ store, peppers, log }: Parts) =>
  async function ensureServerKeys(given: Readonly<Partial<Record<ServerKeyType, string>>>): Promise<void> {
    for (const type of ["admin", "orion"] as const) {
      const secret = given[type];
      if (secret === undefined) continue;
      const [pepper] = await peppers();
      const isNew = await store.ensureServerKey({
        id: newId(),
        account: null,
        expiresAt: null,
        name: "from the environment",
        type,
        label: defaultLabels[type],
        scopes: scopesOf(type),
        ...recognisable(secret),
        hmac: hmacOf(secret, pepper),
        pepperId: pepper.id,
      });
      if (isNew)
        log.warn("a server key from the environment is in use from now on", {
          reason: `${type} key ${recognisable(secret).prefix}…`,
        });
    }
  };

export const isServerKeyType = (text: string): text is ServerKeyType => text === "admin" || text === "orion";

/** Is this a key that may be given for that purpose? */
export const isServerKey =
  (type: ServerKeyType) =>
  (key: string): boolean =>
    isWellFormedKey(key) && key.startsWith(`cs_${type}_`);
