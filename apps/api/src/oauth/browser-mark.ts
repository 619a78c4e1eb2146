import { timingSafeEqual } from "node:crypto";
import { hashOfSecret, makeSecretText } from "./secret-text.ts";

/** What is done if a request for access is answered in another browser than it began in. */
export type BrowserBinding = "warn" | "enforce";

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

export type BrowserMark = {
  /** The mark of this browser, with the cookie that keeps it there; a new one if it has none. */
  readonly give: (
    headers: Headers,
    lifeSeconds: number,
  ) => { readonly hash: Buffer; readonly cookie: string };
  readonly isOf: (headers: Headers, hash: Buffer) => boolean;
};

/**
 * A cookie by which a browser is known again. A browser that has one keeps it, so that two programs that ask at the same time
 * do not disturb each other. The prefix keeps neighbours of our host from planting one; it needs https.
 */
export function makeBrowserMark({ baseUrl }: { readonly baseUrl: string }): BrowserMark {
  const isSecure = baseUrl.startsWith("https:");
  const name = isSecure ? "__Host-oauth_txn" : "oauth_txn";
  const marked = new RegExp(`(?:^|; *)${name}=([A-Za-z0-9_-]{43})(?:;|$)`);
  const find = ({ cookie }: Headers): string | undefined =>
    typeof cookie === "string" ? marked.exec(cookie)?.[1] : undefined;
  return {
    give: (headers, lifeSeconds) => {
      const mark = find(headers) ?? makeSecretText();
      const attributes = `Path=/; Max-Age=${lifeSeconds}; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
      return { hash: hashOfSecret(mark), cookie: `${name}=${mark}; ${attributes}` };
    },
    isOf: (headers, hash) => {
      const mark = find(headers);
      return mark !== undefined && timingSafeEqual(hashOfSecret(mark), hash);
    },
  };
}
