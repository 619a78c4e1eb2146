import { z } from "zod";
import type { Hex } from "../transaction.ts";
import { transactionErrors } from "../errors.ts";

/** Any text in a path: a malformed request hash names no transaction. */
export const RequestHash = z
  .string()
  .meta({ description: "The requestHash of a transaction, 0x-prefixed hex" });

const form = /^0x[0-9a-f]{64}$/;

/** Returns the stored spelling, or rejects. */
export function readRequestHash(text: string): Hex {
  const hash = text.toLowerCase();
  if (!form.test(hash)) throw transactionErrors.notFound();
  return hash as Hex;
}
