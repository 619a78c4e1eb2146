// The ADMIN and ORION keys of a development stack: made once, kept with its data, shown when it is up.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { makeKey } from "../../apps/api/src/api-keys/key-format.ts";

export type ServerKeys = { readonly admin: string; readonly orion: string };

export function ensureServerKeys(file: string): ServerKeys {
  if (existsSync(file)) return JSON.parse(readFileSync(file, "utf8")) as ServerKeys;
  const keys = { admin: makeKey("admin", "test"), orion: makeKey("orion", "test") };
  writeFileSync(file, `${JSON.stringify(keys, undefined, 2)}\n`, { mode: 0o600 });
  return keys;
}
