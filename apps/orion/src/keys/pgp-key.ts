// The OpenPGP key that proposals are encrypted to. It decrypts them, and is used for nothing else.
import { decrypt, generateKey, readMessage, readPrivateKey, type PrivateKey } from "openpgp";
import {
  findPrivateFile,
  makePrivateFile,
  refuseFile,
  type PrivateFile,
} from "@countersign/platform/secrets";
import { maximumEnvelopeBytes } from "@countersign/wire/envelope";

export type Unsealer = {
  /** Lower-case hex. */
  readonly fingerprint: string;
  /** The public key, armoured. */
  readonly publicKey: string;
  /** Returns the plaintext. Undefined for anything that this key does not decrypt, for whatever reason. */
  readonly unseal: (ciphertext: string) => Promise<string | undefined>;
};

/** A few kilobytes of ciphertext can contain gigabytes of compressed text. */
const config = { maxDecompressedMessageSize: maximumEnvelopeBytes };

async function unseal(key: PrivateKey, ciphertext: string): Promise<string | undefined> {
  try {
    const message = await readMessage({ armoredMessage: ciphertext, config });
    const opened: { readonly data: unknown } = await decrypt({ message, decryptionKeys: key, config });
    return typeof opened.data === "string" ? opened.data : undefined;
  } catch {
    // The library's error may quote the plaintext.
    return undefined;
  }
}

async function read(file: PrivateFile, text: string): Promise<PrivateKey> {
  const key = await readPrivateKey({ armoredKey: text }).catch(() => undefined);
  if (key === undefined) throw refuseFile(file, `${file.path} does not contain an OpenPGP private key`);
  if (!key.isDecrypted())
    throw refuseFile(
      file,
      `the key in ${file.path} has a passphrase, which an unattended service cannot enter`,
    );
  return key;
}

/** Undefined if there is no such file. */
export async function findPgpKey(file: PrivateFile): Promise<Unsealer | undefined> {
  const text = await findPrivateFile(file);
  if (text === undefined) return undefined;
  const key = await read(file, text);
  return {
    fingerprint: key.getFingerprint(),
    publicKey: key.toPublic().armor(),
    unseal: (ciphertext) => unseal(key, ciphertext),
  };
}

/** Returns whether a key was created. An existing key stays. */
export async function makePgpKey(file: PrivateFile): Promise<boolean> {
  const { privateKey } = await generateKey({ userIDs: [{ name: "Countersign orion" }], format: "armored" });
  return makePrivateFile(file, privateKey);
}
