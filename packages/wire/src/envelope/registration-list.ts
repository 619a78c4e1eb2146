// The list behind a recorded root, pinned to IPFS: anyone who watches the chain finds its proposals in it.
import { z } from "zod";
import type { Registrations } from "../registration.ts";
import { Address, Word } from "./fields.ts";
import { maximumEnvelopeBytes, readJson, readUtf8 } from "./read-json-text.ts";

/** As many as fit with certainty. */
export const maximumRegistrations = 1_000;

/** Request hash and content digest of each. Members that are not listed are refused: the root does not cover them. */
const List = z.strictObject({
  version: z.literal(1),
  form: z.literal("registrations"),
  inbox: Address,
  entries: z
    .array(z.tuple([Word, Word]))
    .min(1)
    .max(maximumRegistrations),
});

/** Equal lists give equal bytes. Throws on one that no reader would accept. */
export function writeRegistrations({ inbox, entries }: Registrations): Uint8Array {
  const pairs = entries.map(({ requestHash, contentDigest }) => [requestHash, contentDigest]);
  const list = List.parse({ version: 1, form: "registrations", inbox, entries: pairs });
  return new TextEncoder().encode(JSON.stringify(list));
}

/** Undefined for anything that is not such a list. Compare its root with the recorded one before it is believed. */
export function readRegistrations(bytes: Uint8Array): Registrations | undefined {
  if (bytes.byteLength > maximumEnvelopeBytes) return undefined;
  const text = readUtf8(bytes);
  const list = text === undefined ? undefined : List.safeParse(readJson(text)).data;
  if (list === undefined) return undefined;
  const { inbox, entries } = list;
  return { inbox, entries: entries.map(([requestHash, contentDigest]) => ({ requestHash, contentDigest })) };
}
