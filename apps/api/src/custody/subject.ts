// The subject of a CSR. Its values go into the CSR unchanged, so characters that no name contains are rejected here.
import { z } from "zod";

/** A name as in X.520: limited in characters, not bytes, without control characters. */
const name = (atMost: number) =>
  z
    .string()
    .trim()
    .min(1, "must not be empty")
    .refine((text) => Array.from(text).length <= atMost, `must have at most ${atMost} characters`)
    .refine((text) => text.isWellFormed() && !/\p{Cc}/u.test(text), "must not have control characters");

export const Subject = z.object({
  commonName: name(64),
  organization: name(64),
  country: z
    .string()
    .regex(/^[A-Za-z]{2}$/, "must be a country's two-letter code")
    .transform((code) => code.toUpperCase()),
  organizationalUnit: name(64).optional(),
  state: name(128).optional(),
  locality: name(128).optional(),
  // The CSR's string type allows only these characters.
  email: z
    .string()
    .trim()
    .max(255, "must have at most 255 characters")
    .regex(/^[!-?A-~]+@[!-?A-~]+$/, "must be an e-mail address in ASCII")
    .optional(),
});

export type Subject = z.output<typeof Subject>;
