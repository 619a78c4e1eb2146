// Checks a payload that its sender encrypted, without decrypting it: it is one message, the chosen service can
// decrypt it, and the owner signed it.
import type { Clock } from "@countersign/platform/clock";
import {
  createMessage,
  PublicKeyEncryptedSessionKeyPacket,
  readKey,
  readMessage,
  readSignature,
  SymEncryptedIntegrityProtectedDataPacket,
  verify,
  type Key,
  type KeyID,
} from "openpgp";
import { transactionErrors } from "../errors.ts";
import { momentFor } from "../record/seal.ts";

type SealedPayload = { readonly encryptedPayload: string; readonly payloadSignature: string };
type Keys = {
  /** The verification service's key, armoured. */
  readonly service: string;
  /** The owner's registered key, armoured. */
  readonly owner: string;
};

/** Only white space before and after it: the library reads only the first block and would ignore others. */
const oneBlock = (label: string): RegExp =>
  new RegExp(`^\\s*-----BEGIN PGP ${label}-----\\r?\\n[^]*\\r?\\n-----END PGP ${label}-----\\s*$`);
const oneMessage = oneBlock("MESSAGE");
const oneSignature = oneBlock("SIGNATURE");
const isAlone = (text: string): boolean => text.split("-----BEGIN PGP").length === 2;

/** More would be a list to hide in. */
const recipientsAtMost = 16;
/** The key id of a hidden recipient. */
const hidden = "0000000000000000";
/** Tolerates a sender's clock that is slightly ahead. */
const clockSkewMs = 10 * 60 * 1000;

/** Returns the recipients of the message. Undefined if it is anything but an encrypted message. */
async function readRecipients(armoured: string): Promise<readonly KeyID[] | undefined> {
  if (!oneMessage.test(armoured) || !isAlone(armoured)) return undefined;
  try {
    // A message that is compressed around the encryption is not decompressed: it could be of any size.
    const message = await readMessage({
      armoredMessage: armoured,
      config: { maxDecompressedMessageSize: 1 },
    });
    const packets = [...message.packets];
    // Rejects a password among the recipients, a cipher without integrity protection, and unknown packets.
    const isSealed = packets.pop() instanceof SymEncryptedIntegrityProtectedDataPacket;
    const isToKeys = packets.every((packet) => packet instanceof PublicKeyEncryptedSessionKeyPacket);
    const isFew = packets.length > 0 && packets.length <= recipientsAtMost;
    return isSealed && isToKeys && isFew ? message.getEncryptionKeyIDs() : undefined;
  } catch {
    return undefined;
  }
}

/** Whether it is a key, or a subkey, that may be used for encryption now. */
async function isEncryptionKey(key: Key, id: KeyID, now: Date): Promise<boolean> {
  try {
    await key.getEncryptionKey(id, momentFor(key.getCreationTime(), now));
    return true;
  } catch {
    return false;
  }
}

async function isSignedBy(
  key: Key,
  { encryptedPayload, payloadSignature }: SealedPayload,
  now: Date,
): Promise<boolean> {
  if (!oneSignature.test(payloadSignature) || !isAlone(payloadSignature)) return false;
  try {
    const signature = await readSignature({ armoredSignature: payloadSignature });
    const { signatures } = await verify({
      message: await createMessage({ binary: Buffer.from(encryptedPayload, "utf8") }),
      signature,
      verificationKeys: key,
      date: new Date(now.getTime() + clockSkewMs),
      format: "binary",
    });
    const [only, ...others] = signatures;
    return only !== undefined && others.length === 0 && (await only.verified);
  } catch {
    return false;
  }
}

/** Throws the error that describes what is wrong. */
export async function checkSealedPayload(payload: SealedPayload, keys: Keys, clock: Clock): Promise<void> {
  const now = clock.now();
  const recipients = await readRecipients(payload.encryptedPayload);
  if (recipients === undefined) throw transactionErrors.payloadMalformed();
  if (recipients.some((id) => id.toHex() === hidden)) throw transactionErrors.payloadForUnknown();
  const service = await readKey({ armoredKey: keys.service });
  const mayOpen = await Promise.all(recipients.map((id) => isEncryptionKey(service, id, now)));
  if (!mayOpen.includes(true)) throw transactionErrors.payloadForOthers();
  if (!(await isSignedBy(await readKey({ armoredKey: keys.owner }), payload, now)))
    throw transactionErrors.payloadSignatureInvalid();
}
