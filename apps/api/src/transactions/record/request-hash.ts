import { z } from "zod";
import type { Hex } from "../transaction.ts";
import { transactionErrors } from "../errors.ts";

/** In a path, of any form: what cannot be a request hash names no transaction. */
export const RequestHash = z
  .string()
  .meta({ description: "The requestHash of a transaction, 0x-prefixed hex" });

const form = /^0x[0-9a-f]{64}$/;

/** As we keep it, or a refusal. */
export function readRequestHash(text: string): Hex {
  const hash = text.toLowerCase();
  if (!form.test(hash)) throw transactionErrors.notFound();
  return hash as Hex;
}
