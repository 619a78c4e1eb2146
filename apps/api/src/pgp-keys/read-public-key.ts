import { readKeys, type Key } from "openpgp";
import { pgpKeyErrors } from "./errors.ts";

const oneBlock =
  /^\s*-----BEGIN PGP PUBLIC KEY BLOCK-----\r?\n[^]*\r?\n-----END PGP PUBLIC KEY BLOCK-----\s*$/;
const privateMark = "-----BEGIN PGP PRIVATE KEY";
/** Tolerates keys created on a machine whose clock is slightly ahead. */
const clockSkewMs = 10 * 60 * 1000;

async function parse(armoured: string): Promise<readonly Key[]> {
  try {
    return await readKeys({ armoredKeys: armoured });
  } catch {
    throw pgpKeyErrors.malformed();
  }
}

/**
 * Checks that the text is exactly one public key that can be used for encryption now. Returns its fingerprint
 * in hex.
 */
export async function readPublicKey(armoured: string, now: Date): Promise<string> {
  if (armoured.includes(privateMark)) throw pgpKeyErrors.private();
  // The library reads only the first block and would ignore others.
  if (!oneBlock.test(armoured) || armoured.split("-----BEGIN PGP").length !== 2)
    throw pgpKeyErrors.malformed();
  const keys = await parse(armoured);
  // The armour header is only a label. The packets decide.
  if (keys.some((key) => key.isPrivate())) throw pgpKeyErrors.private();
  const [key, ...others] = keys;
  if (key === undefined || others.length > 0) throw pgpKeyErrors.malformed();
  const aheadMs = key.getCreationTime().getTime() - now.getTime();
  try {
    await key.getEncryptionKey(undefined, aheadMs > 0 && aheadMs < clockSkewMs ? key.getCreationTime() : now);
  } catch {
    throw pgpKeyErrors.unusable();
  }
  return key.getFingerprint();
}
