// Encrypts a proposal into an envelope that only the verification service can decrypt. Used when it is proposed and,
// if the service's key was not known then, later by the flow.
import type { Clock } from "@countersign/platform/clock";
import { digestOf, writeContent, writeEnvelope, type WholeContent } from "@countersign/wire/envelope";
import { createMessage, encrypt, enums, readKey, type Key } from "openpgp";
import type { Payload } from "@countersign/wire";
import type { Call, Extras, Hex, Transaction } from "../transaction.ts";

/**
 * Encrypted and encoded, a content of this size takes at most the 256 kB of an envelope, with room for the
 * largest keys. It is not compressed, so that its size does not depend on the content.
 */
export const maximumContentBytes = 180 * 1024;

/** Tolerates keys created on a machine whose clock is slightly ahead. */
const clockSkewMs = 10 * 60 * 1000;

/** The time at which a key is checked: now, or its creation if that is only minutes ahead. */
export const momentFor = (beginning: Date, now: Date): Date => {
  const aheadMs = beginning.getTime() - now.getTime();
  return aheadMs > 0 && aheadMs < clockSkewMs ? beginning : now;
};

type Proposed = Pick<
  Transaction,
  "escrow" | "chainId" | "description" | "executionType" | "deadline" | "salt"
> & { readonly subject: Subject };

/** The subject of a signature: a transaction, or a payload of another shape. */
export type Subject = { readonly tx: Call } | { readonly payload: Payload };

/** Undefined if the sender encrypted it. */
export const subjectOf = ({ tx, payload }: Pick<Transaction, "tx" | "payload">): Subject | undefined =>
  tx !== null ? { tx } : payload !== null ? { payload } : undefined;

/**
 * Returns the content that is encrypted or sent to orion directly: everything that the request hash covers,
 * and the extras.
 */
export const contentOf = (proposed: Proposed, extras: Extras): WholeContent => ({
  ...signedOf(proposed.subject),
  escrow: proposed.escrow,
  chainId: proposed.chainId,
  userPrompt: proposed.description,
  executionType: proposed.executionType,
  deadline: unixSeconds(proposed.deadline),
  salt: proposed.salt,
  ...(extras.contextLogs === undefined ? {} : { contextLogs: extras.contextLogs }),
  ...(extras.intentSignature === undefined ? {} : { intentSignature: extras.intentSignature }),
});

const signedOf = (subject: Subject) =>
  "tx" in subject
    ? { version: 1 as const, ...subject.tx, value: subject.tx.value.toString() }
    : { version: 2 as const, ...subject.payload };

export const unixSeconds = (moment: Date): number => Math.floor(moment.getTime() / 1000);

/** Whether it fits, whatever key it is encrypted to. */
export const fitsEnvelope = (content: WholeContent): boolean =>
  Buffer.byteLength(JSON.stringify(content)) <= maximumContentBytes;

let lastKey: { readonly armoured: string; readonly key: Key } | undefined;

/** Nearly every proposal is encrypted to the same key, and reading one takes as long as encrypting to it. */
async function readKeyOnce(armoured: string): Promise<Key> {
  if (lastKey?.armoured !== armoured) lastKey = { armoured, key: await readKey({ armoredKey: armoured }) };
  return lastKey.key;
}

/** Throws if the key cannot be used for encryption now. */
export async function seal(
  content: WholeContent,
  armouredKey: string,
  clock: Clock,
): Promise<{ readonly bytes: Uint8Array; readonly digest: Hex }> {
  const key = await readKeyOnce(armouredKey);
  const ciphertext: unknown = await encrypt({
    // As bytes: for text the library may change line endings.
    message: await createMessage({ binary: Buffer.from(writeContent(content), "utf8") }),
    encryptionKeys: key,
    date: momentFor(key.getCreationTime(), clock.now()),
    format: "armored",
    config: { preferredCompressionAlgorithm: enums.compression.uncompressed },
  });
  if (typeof ciphertext !== "string") throw new Error("armour is text");
  const bytes = writeEnvelope({ version: 1, form: "standard", ciphertext });
  return { bytes, digest: digestOf(bytes) };
}
