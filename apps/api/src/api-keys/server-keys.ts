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
 * Stores the keys that the operator sets in the environment for an unattended first start. They are stored
 * like any other key, and storing the same key twice keeps one row. The log names the key, never its secret.
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
        log.warn("server key from the environment accepted", {
          reason: `${type} key ${recognisable(secret).prefix}…`,
        });
    }
  };

export const isServerKeyType = (text: string): text is ServerKeyType => text === "admin" || text === "orion";

/** Returns a check that a text is a well-formed key of that type. */
export const isServerKey =
  (type: ServerKeyType) =>
  (key: string): boolean =>
    isWellFormedKey(key) && key.startsWith(`cs_${type}_`);
