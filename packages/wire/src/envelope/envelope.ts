// The JSON document that is pinned to IPFS, with the ciphertext. In form "sealed" it also contains the terms of the request
// hash, since only the verification service can decrypt the content.
import { z } from "zod";
import { Address, ChainId, Count, ExecutionTypeField, Text, Word } from "./fields.ts";
import { maximumEnvelopeBytes, readJson, readUtf8 } from "./read-json-text.ts";

const Ciphertext = Text.min(1);

/** Members that are not listed are refused, so that nothing unread is pinned under a request hash. */
export const Envelope = z.discriminatedUnion("form", [
  z.strictObject({ version: z.literal(1), form: z.literal("standard"), ciphertext: Ciphertext }),
  z.strictObject({
    version: z.literal(1),
    form: z.literal("sealed"),
    escrow: Address,
    chainId: ChainId,
    executionType: ExecutionTypeField,
    deadline: Count,
    salt: Word,
    ciphertext: Ciphertext,
  }),
]);
export type Envelope = Readonly<z.infer<typeof Envelope>>;

/** Equal envelopes give equal bytes, whatever the order of their members. Throws on one that no reader would accept. */
export function writeEnvelope(envelope: Envelope): Uint8Array {
  const bytes = new TextEncoder().encode(JSON.stringify(Envelope.parse(envelope)));
  if (bytes.byteLength > maximumEnvelopeBytes) {
    throw new RangeError(`An envelope has at most ${maximumEnvelopeBytes} bytes.`);
  }
  return bytes;
}

/** Undefined for anything that is not an envelope of version 1. */
export function readEnvelope(bytes: Uint8Array): Envelope | undefined {
  if (bytes.byteLength > maximumEnvelopeBytes) return undefined;
  const text = readUtf8(bytes);
  return text === undefined ? undefined : Envelope.safeParse(readJson(text)).data;
}
