// What can be known of a payload that its sender sealed, without opening it: it is one message, the chosen service can open
// it, and the owner vouches for it.
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
  /** The verification service's, armoured. */
  readonly service: string;
  /** The owner's registered one, armoured. */
  readonly owner: string;
};

/** Nothing before or after it but blank space: the library would read the first block and let others follow. */
const oneBlock = (label: string): RegExp =>
  new RegExp(`^\\s*-----BEGIN PGP ${label}-----\\r?\\n[^]*\\r?\\n-----END PGP ${label}-----\\s*$`);
const oneMessage = oneBlock("MESSAGE");
const oneSignature = oneBlock("SIGNATURE");
const isAlone = (text: string): boolean => text.split("-----BEGIN PGP").length === 2;

/** More would be a list to hide in. */
const recipientsAtMost = 16;
/** The id that stands for a recipient who is not to be known. */
const hidden = "0000000000000000";
/** The sender's clock may be a little ahead of ours. */
const clockSkewMs = 10 * 60 * 1000;

/** Whom the message names as its recipients; undefined if it is anything else than a message to such. */
async function readRecipients(armoured: string): Promise<readonly KeyID[] | undefined> {
  if (!oneMessage.test(armoured) || !isAlone(armoured)) return undefined;
  try {
    // What is compressed around the encryption is not unpacked: it could be of any size.
    const message = await readMessage({
      armoredMessage: armoured,
      config: { maxDecompressedMessageSize: 1 },
    });
    const packets = [...message.packets];
    // A password among the recipients, an old cipher without integrity, a packet that is not understood: none of it.
    const isSealed = packets.pop() instanceof SymEncryptedIntegrityProtectedDataPacket;
    const isToKeys = packets.every((packet) => packet instanceof PublicKeyEncryptedSessionKeyPacket);
    const isFew = packets.length > 0 && packets.length <= recipientsAtMost;
    return isSealed && isToKeys && isFew ? message.getEncryptionKeyIDs() : undefined;
  } catch {
    return undefined;
  }
}

/** Is it a key, or a part of one, that may be encrypted to now? */
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

/** Throws what is wrong with it. */
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
