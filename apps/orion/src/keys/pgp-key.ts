// The OpenPGP key that proposals are sealed to. It opens them, and is used for nothing else.
import { decrypt, generateKey, readMessage, readPrivateKey, type PrivateKey } from "openpgp";
import {
  findPrivateFile,
  makePrivateFile,
  refuseFile,
  type PrivateFile,
} from "@countersign/platform/secrets";
import { maximumEnvelopeBytes } from "@countersign/wire/envelope";

export type Unsealer = {
  /** In lower-case hex. */
  readonly fingerprint: string;
  /** The public half, armoured. */
  readonly publicKey: string;
  /** The text inside; undefined for what this key does not open, whatever is the matter with it. */
  readonly unseal: (ciphertext: string) => Promise<string | undefined>;
};

/** A few kilobytes of ciphertext can hold gigabytes of compressed text. */
const config = { maxDecompressedMessageSize: maximumEnvelopeBytes };

async function unseal(key: PrivateKey, ciphertext: string): Promise<string | undefined> {
  try {
    const message = await readMessage({ armoredMessage: ciphertext, config });
    const opened: { readonly data: unknown } = await decrypt({ message, decryptionKeys: key, config });
    return typeof opened.data === "string" ? opened.data : undefined;
  } catch {
    // Why it does not open is in words that may quote what is inside.
    return undefined;
  }
}

async function read(file: PrivateFile, text: string): Promise<PrivateKey> {
  const key = await readPrivateKey({ armoredKey: text }).catch(() => undefined);
  if (key === undefined) throw refuseFile(file, `${file.path} does not hold an OpenPGP private key`);
  if (!key.isDecrypted())
    throw refuseFile(file, `the key in ${file.path} has a passphrase, which nobody is there to type`);
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

/** Whether one was made; a key that is there stays. */
export async function makePgpKey(file: PrivateFile): Promise<boolean> {
  const { privateKey } = await generateKey({ userIDs: [{ name: "Countersign orion" }], format: "armored" });
  return makePrivateFile(file, privateKey);
}
