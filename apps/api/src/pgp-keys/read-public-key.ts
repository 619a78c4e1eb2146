import { readKeys, type Key } from "openpgp";
import { pgpKeyErrors } from "./errors.ts";

const oneBlock =
  /^\s*-----BEGIN PGP PUBLIC KEY BLOCK-----\r?\n[^]*\r?\n-----END PGP PUBLIC KEY BLOCK-----\s*$/;
const privateMark = "-----BEGIN PGP PRIVATE KEY";
/** A key may be made on a machine whose clock is a little ahead of ours. */
const clockSkewMs = 10 * 60 * 1000;

async function parse(armoured: string): Promise<readonly Key[]> {
  try {
    return await readKeys({ armoredKeys: armoured });
  } catch {
    throw pgpKeyErrors.malformed();
  }
}

/** Everything in the text belongs to one public key that can be encrypted to now. Returns its fingerprint in hex. */
export async function readPublicKey(armoured: string, now: Date): Promise<string> {
  if (armoured.includes(privateMark)) throw pgpKeyErrors.private();
  // The library reads the first block and would let others follow.
  if (!oneBlock.test(armoured) || armoured.split("-----BEGIN PGP").length !== 2)
    throw pgpKeyErrors.malformed();
  const keys = await parse(armoured);
  // The mark above is only a label: what the packets are counts.
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
