// The terms of a version of a policy, as they are signed.
import type { Hex } from "@countersign/wire";
import { z } from "zod";
import { EthereumAddress } from "../accounts/index.ts";
import { isTimeZone } from "../platform/time-zone.ts";

/** Rules in Cedar, at most 20,000 characters. */
export const PolicyText = z
  .string()
  .max(20_000)
  .regex(/^[\n\t\x20-\x7e\u00a1-\u2027\u202f-\u205f\u2070-\ufefe]*$/, "must have visible characters only")
  .meta({ description: "Rules in Cedar. Empty: no rules." });

export const TimeZone = z
  .string()
  .max(64)
  .refine(isTimeZone, "must be an IANA time zone such as Europe/Berlin")
  .meta({ description: "For rules about hours and weekdays." });

const Word = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/, "must be 32 bytes in hex")
  .transform((text) => text.toLowerCase() as Hex);

export const Terms = z.object({
  account: EthereumAddress,
  homeChainId: z.int().positive(),
  inbox: EthereumAddress,
  version: z.int().positive(),
  previous: Word,
  timeZone: TimeZone,
  text: PolicyText,
});
export type Terms = z.output<typeof Terms>;
