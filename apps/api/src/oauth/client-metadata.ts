import { z } from "zod";
import { isAllowedRedirectUri } from "./redirect-uri.ts";

const longestName = 100;
const unnamed = "MCP client";

/**
 * A stranger wrote it and an owner will read it: without what cannot be seen or turns the direction of reading. What is left
 * is shown as text.
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
  .meta({ description: "What owners are shown, as the client's own claim" });

export const RedirectUris = z
  .array(z.string().refine(isAllowedRedirectUri))
  .min(1)
  .max(10)
  .meta({ description: "https, http on this machine with any port, or a scheme of an application" });

function isWebPage(text: string): boolean {
  if (text.length > 2000 || !/^https?:\/\/[!-~]+$/i.test(text)) return false;
  const url = URL.parse(text);
  return url !== null && url.username === "" && url.password === "";
}

/** A page that owners may be shown a link to. Clients that have none send nothing, null or an empty text. */
export const WebPage = z
  .string()
  .refine((text) => text === "" || isWebPage(text), "must be an http or https address")
  .nullish()
  .transform((text) => (text ?? "") || null);

/** How clients that say nothing, or null, or more than we know, are read. */
export const includes = (required: string): z.ZodType<unknown, readonly unknown[] | null | undefined> =>
  z
    .array(z.unknown())
    .refine((values) => values.includes(required), `must include ${required}`)
    .nullish();
