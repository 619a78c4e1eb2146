/** Texts of other people that are shown to owners: one short line without characters that hide or reorder others. */
import { z } from "zod";

export const ShownText = z
  .string()
  .min(1)
  .max(80)
  .regex(/^[^\p{C}\p{Zl}\p{Zp}]+$/u, "contains characters that cannot be shown");

export const isShownText = (text: string): boolean => ShownText.safeParse(text).success;

export const EvmAddress = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, "expected an address")
  .transform((address) => address.toLowerCase() as `0x${string}`);

export const ChainId = z.int().positive();
