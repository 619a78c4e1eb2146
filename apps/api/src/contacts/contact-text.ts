// The rules for names and notes. A name is what an owner trusts, so two names that look the same must be the same name.
import { z } from "zod";

const nameAtMost = 60;
const noteAtMost = 200;

/** Control, direction, private and invisible characters, and line breaks. */
const hidden = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;
/** So many marks on one letter cover the text around it. */
const stacked = /\p{M}{4}/u;
/** The start of an address, which would be taken for the address itself. */
const addressLike = /0x[0-9a-f]{4}/i;

const tidy = (text: string): string =>
  text
    .normalize("NFC")
    .replaceAll(/\p{Zs}+/gu, " ")
    .trim();

const visible = z
  .string()
  .max(1_000)
  .refine((text) => !hidden.test(text) && !stacked.test(text), "must have visible characters only")
  .transform(tidy);

const hasAtMost =
  (most: number) =>
  (text: string): boolean =>
    Array.from(text).length <= most;

/** Returns the name in NFC with single spaces. */
export const ContactName = visible
  .refine((name) => /[\p{L}\p{N}]/u.test(name), "must contain a letter or a digit")
  .refine((name) => !addressLike.test(name.normalize("NFKC")), "must not contain an address")
  .refine(hasAtMost(nameAtMost), `must have at most ${nameAtMost} characters`)
  .meta({
    description: `At most ${nameAtMost} visible characters, without an address. Unique in the account, whatever its case and Unicode form.`,
  });

export const ContactNote = visible
  .refine(hasAtMost(noteAtMost), `must have at most ${noteAtMost} characters`)
  .transform((note) => (note === "" ? null : note))
  .nullish()
  .transform((note) => note ?? null)
  .meta({ description: `At most ${noteAtMost} visible characters. Omitted, null or empty: no note.` });

/** Returns the same text for names that differ in case or Unicode form only. */
export const nameKeyOf = (name: string): string =>
  tidy(name.normalize("NFKC").toUpperCase().toLowerCase().normalize("NFKC"));
