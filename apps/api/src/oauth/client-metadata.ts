import { z } from "zod";
import { isAllowedRedirectUri } from "./redirect-uri.ts";

const longestName = 100;
const unnamed = "MCP client";

/**
 * Written by a stranger and read by an owner: removes invisible characters and those that change the reading
 * direction. The rest is shown as text.
 */
const presentable = (name: string): string =>
  name
    .replace(/[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu, "")
    .replace(/\s+/g, " ")
    .trim();

export const ClientName = z
  .string()
  .transform(presentable)
  .refine((name) => Array.from(name).length <= longestName, `must have at most ${longestName} characters`)
  .nullish()
  .transform((name) => (name ?? "") || unnamed)
  .meta({ description: "The name that owners see, as the client's own claim" });

export const RedirectUris = z
  .array(z.string().refine(isAllowedRedirectUri))
  .min(1)
  .max(10)
  .meta({ description: "https, http on this machine with any port, or a private-use scheme" });

function isWebPage(text: string): boolean {
  if (text.length > 2000 || !/^https?:\/\/[!-~]+$/i.test(text)) return false;
  const url = URL.parse(text);
  return url !== null && url.username === "" && url.password === "";
}

/** A page that owners may be linked to. Clients without one send nothing, null or an empty text. */
export const WebPage = z
  .string()
  .refine((text) => text === "" || isWebPage(text), "must be an http or https address")
  .nullish()
  .transform((text) => (text ?? "") || null);

/** Accepts clients that send nothing, null, or more values than we know. */
export const includes = (required: string): z.ZodType<unknown, readonly unknown[] | null | undefined> =>
  z
    .array(z.unknown())
    .refine((values) => values.includes(required), `must include ${required}`)
    .nullish();
