// The ADMIN and ORION keys of a development stack: made once, kept with its data, shown when it is up.
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { makeKey } from "../../apps/api/src/api-keys/key-format.ts";

export type ServerKeys = {
  readonly admin: string;
  readonly orion: string;
  /** The token with which the API nudges orion. */
  readonly nudgeToken: string;
};

export function ensureServerKeys(file: string): ServerKeys {
  const kept = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Partial<ServerKeys>) : {};
  const keys: ServerKeys = {
    admin: kept.admin ?? makeKey("admin", "test"),
    orion: kept.orion ?? makeKey("orion", "test"),
    nudgeToken: kept.nudgeToken ?? randomBytes(24).toString("base64url"),
  };
  writeFileSync(file, `${JSON.stringify(keys, undefined, 2)}\n`, { mode: 0o600 });
  return keys;
}
