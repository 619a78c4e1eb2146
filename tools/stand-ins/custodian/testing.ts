// The fixture of tests against the custodian: a vault and a user with access to it.
import { execFileSync } from "node:child_process";
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CustodianStandIn } from "./stand-in.ts";

export const pemOf = (key: KeyObject): string => key.export({ type: "pkcs8", format: "pem" }).toString();

/** Shorter than a real one, because the tests make many. */
export const anRsaKey = () => generateKeyPairSync("rsa", { modulusLength: 2048 });

/** Made by a program that is not ours. */
export function aCsr(key: KeyObject, hash = "sha256"): string {
  const folder = mkdtempSync(join(tmpdir(), "csr-"));
  try {
    const file = join(folder, "key.pem");
    writeFileSync(file, pemOf(key), { mode: 0o600 });
    const args = ["req", "-new", `-${hash}`, "-key", file, "-subj", "/CN=a test"];
    return execFileSync("openssl", args, { encoding: "utf8" });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A vault of their own, and a way in. */
export async function aUser(standIn: CustodianStandIn) {
  const vault = await standIn.makeVault();
  const { privateKey } = anRsaKey();
  const apiKey = standIn.admit({ csr: aCsr(privateKey), vaults: [vault.vaultAccountId] });
  return { ...vault, apiKey, privateKey };
}
