/**
 * The forms of a list. Ours is an object with name, date and source. Publishers also use an array of addresses or one address per line;
 * for those the operator states name and date. A signed list is stored with the exact text that was signed.
 */
import { z } from "zod";
import { verifyMinisign, type ListKey } from "./minisign.ts";

export const listKinds = ["sanctions", "scam", "blocked-protocols"] as const;
export type ListKind = (typeof listKinds)[number];

/** The largest published lists have about 100,000 entries: 5 MB. Limits what a parser is given. */
export const maxListBytes = 16 * 1024 * 1024;

const Entry = z.union([
  z.string().transform((address) => ({ address, note: undefined })),
  z.object({ address: z.string(), note: z.string().optional() }),
]);

const Facts = { name: z.string().min(1), asOf: z.iso.date(), source: z.string().min(1) };

const ListContent = z.object({
  ...Facts,
  /** Where stated, the list is used for nothing else. */
  kind: z.enum(listKinds).optional(),
  /** The list is known to be incomplete, so absence from it clears no address. */
  partial: z.boolean().default(false),
  entries: z.array(Entry),
});

const SignedFile = z.strictObject({
  minisign: z.strictObject({ text: z.string(), signature: z.string() }),
  about: z.strictObject(Facts).partial().optional(),
});

export type List = Omit<z.output<typeof ListContent>, "entries"> & {
  /** By address in lower case. */
  readonly notes: ReadonlyMap<string, string | null>;
  /** The id of the key whose signature was verified. Null if none was. */
  readonly signedBy: string | null;
};

type About = Partial<Pick<List, "name" | "asOf" | "source">>;
export type Published = { readonly text: string; readonly signature: string | null; readonly about?: About };
type FaultCode = "malformed" | "unsigned" | "wrongly_signed" | "future";
export type Fault = { readonly fault: string; readonly code: FaultCode };

type Given = { readonly now: bigint; readonly keys: readonly ListKey[] };

const secondsPerDay = 86_400n;
export const secondsOf = (asOf: string): bigint => BigInt(Date.parse(`${asOf}T00:00:00Z`)) / 1000n;

/** Reads a file of the operator's folder. `fault` says what is wrong with it, in words for the operator. */
export function readListFile(content: unknown, given: Given): List | Fault {
  const signed = SignedFile.safeParse(content).data;
  if (signed === undefined) return given.keys.length > 0 ? unsigned : readContent(content, given, null);
  const { about, minisign } = signed;
  return readPublished({ ...minisign, ...(about === undefined ? {} : { about: definedOf(about) }) }, given);
}

/** Reads a list as its publisher offers it. With keys, only one that is signed by one of them. */
export function readPublished({ text, signature, about = {} }: Published, given: Given): List | Fault {
  if (given.keys.length === 0) return readText(text, { ...given, about }, null);
  if (signature === null) return unsigned;
  const verified = verifyMinisign(Buffer.from(text), signature, given.keys);
  if ("fault" in verified) return { ...verified, code: "wrongly_signed" };
  return readText(text, { ...given, about }, verified.keyId);
}

/** Returns the content of the file that keeps a list: readable by `readListFile`, with the signature if there is one. */
export function writeListFile({ text, signature, about = {} }: Published): string {
  const kept =
    signature === null ? contentOf(text, about) : { minisign: { text, signature }, about: definedOf(about) };
  return `${JSON.stringify(kept, null, 2)}\n`;
}

const unsigned: Fault = { fault: "not signed, and a signature is required", code: "unsigned" };
const malformed = (fault: string): Fault => ({ fault, code: "malformed" });
export const notJson = malformed("not readable as JSON");

const definedOf = (about: Readonly<Record<string, string | undefined>>): About =>
  Object.fromEntries(Object.entries(about).filter(([, value]) => value !== undefined));

function readText(
  text: string,
  given: Given & { readonly about: About },
  signedBy: string | null,
): List | Fault {
  try {
    return readContent(contentOf(text, given.about), given, signedBy);
  } catch {
    return notJson;
  }
}

/** In our own form the list speaks for itself; what the operator states counts only where the form has no place for it. */
function contentOf(text: string, about: About): unknown {
  const trimmed = text.trim();
  if (trimmed.startsWith("{")) return JSON.parse(trimmed);
  if (trimmed.startsWith("[")) return { ...about, entries: JSON.parse(trimmed) as unknown };
  const lines = trimmed.split(/\r?\n/).map((line) => line.replace(/#.*/, "").trim());
  return { ...about, entries: lines.filter((line) => line !== "") };
}

function readContent(content: unknown, { now }: Given, signedBy: string | null): List | Fault {
  const parsed = ListContent.safeParse(content);
  if (!parsed.success) return malformed(z.prettifyError(parsed.error));
  const { entries, ...about } = parsed.data;
  if (secondsOf(about.asOf) > now + secondsPerDay)
    return { fault: `asOf ${about.asOf} lies in the future`, code: "future" };
  // Lists of sanctions hold addresses of other chains, too; those cannot occur here. A broken one of ours is a mistake.
  const ours = entries.filter(({ address }) => address.toLowerCase().startsWith("0x"));
  const broken = ours.find(({ address }) => !/^0x[0-9a-fA-F]{40}$/.test(address));
  if (broken !== undefined) return malformed(`${broken.address.slice(0, 80)} is not an address`);
  if (ours.length === 0) return malformed("no EVM address among the entries");
  const notes = new Map(ours.map(({ address, note }) => [address.toLowerCase(), note ?? null]));
  return { ...about, notes, signedBy };
}
