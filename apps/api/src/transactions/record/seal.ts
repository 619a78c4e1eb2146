// Puts a proposal into an envelope that only the verification service can open. Used when it is proposed and, if the
// service's key was not known then, later by the flow.
import type { Clock } from "@countersign/platform/clock";
import { digestOf, writeContent, writeEnvelope, type WholeContent } from "@countersign/wire/envelope";
import { createMessage, encrypt, enums, readKey } from "openpgp";
import type { Call, Extras, Hex, Transaction } from "../transaction.ts";

/**
 * Sealed and written into an envelope, a content of this size has at most the 256 kB that an envelope may have, with room
 * for the largest keys. It is not compressed, so that its size does not depend on what it says.
 */
export const maximumContentBytes = 180 * 1024;

/** A key may be made on a machine whose clock is a little ahead of ours. */
const clockSkewMs = 10 * 60 * 1000;

/** When a key is judged: now, or its beginning if that is but minutes ahead. */
export const momentFor = (beginning: Date, now: Date): Date => {
  const aheadMs = beginning.getTime() - now.getTime();
  return aheadMs > 0 && aheadMs < clockSkewMs ? beginning : now;
};

type Proposed = Pick<
  Transaction,
  "escrow" | "chainId" | "description" | "executionType" | "deadline" | "salt"
> & { readonly tx: Call };

/** What is sealed, or goes to the arbiter as it is: everything that the request hash is made of, and the extras. */
export const contentOf = (proposed: Proposed, extras: Extras): WholeContent => ({
  version: 1,
  escrow: proposed.escrow,
  chainId: proposed.chainId,
  to: proposed.tx.to,
  value: proposed.tx.value.toString(),
  data: proposed.tx.data,
  userPrompt: proposed.description,
  executionType: proposed.executionType,
  deadline: unixSeconds(proposed.deadline),
  salt: proposed.salt,
  ...(extras.contextLogs === undefined ? {} : { contextLogs: extras.contextLogs }),
  ...(extras.intentSignature === undefined ? {} : { intentSignature: extras.intentSignature }),
});

export const unixSeconds = (moment: Date): number => Math.floor(moment.getTime() / 1000);

/** Would it fit, whatever key it is sealed to? */
export const fitsEnvelope = (content: WholeContent): boolean =>
  Buffer.byteLength(JSON.stringify(content)) <= maximumContentBytes;

/** Throws if the key cannot be encrypted to now. */
export async function seal(
  content: WholeContent,
  armouredKey: string,
  clock: Clock,
): Promise<{ readonly bytes: Uint8Array; readonly digest: Hex }> {
  const key = await readKey({ armoredKey: armouredKey });
  const ciphertext: unknown = await encrypt({
    // As bytes: as text the library would be free to change line endings.
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
