// The ADMIN and ORION keys of a development stack: made once, kept with its data, shown when it is up.
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { makeKey } from "../../apps/api/src/api-keys/key-format.ts";

export type ServerKeys = {
  readonly admin: string;
  readonly orion: string;
  /** The token with which the API nudges orion. */
  readonly nudgeToken: string;
  /** The keys that browsers subscribe with. With others they would have to subscribe again. */
  readonly push: { readonly publicKey: string; readonly privateKey: string };
};

/** A VAPID key pair (RFC 8292): the uncompressed point and the scalar, both of a fixed length. */
function makePushKeys(): ServerKeys["push"] {
  const pair = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "", d = "" } = pair.privateKey.export({ format: "jwk" });
  const point = [x, y].map((part) => Buffer.from(part, "base64url"));
  return { publicKey: Buffer.concat([Buffer.of(4), ...point]).toString("base64url"), privateKey: d };
}

export function ensureServerKeys(file: string): ServerKeys {
  const kept = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Partial<ServerKeys>) : {};
  const keys: ServerKeys = {
    admin: kept.admin ?? makeKey("admin", "test"),
    orion: kept.orion ?? makeKey("orion", "test"),
    nudgeToken: kept.nudgeToken ?? randomBytes(24).toString("base64url"),
    push: kept.push ?? makePushKeys(),
  };
  writeFileSync(file, `${JSON.stringify(keys, undefined, 2)}\n`, { mode: 0o600 });
  return keys;
}
