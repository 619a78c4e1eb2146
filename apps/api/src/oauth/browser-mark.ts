import { timingSafeEqual } from "node:crypto";
import { hashOfSecret, makeSecretText } from "./secret-text.ts";

/** The policy for a request for access that is answered in another browser than it was started in. */
export type BrowserBinding = "warn" | "enforce";

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

export type BrowserMark = {
  /** Returns the browser's mark with the cookie that stores it. Creates one if it has none. */
  readonly give: (
    headers: Headers,
    lifeSeconds: number,
  ) => { readonly hash: Buffer; readonly cookie: string };
  readonly isOf: (headers: Headers, hash: Buffer) => boolean;
};

/**
 * A cookie that identifies a browser. A browser that has one keeps it, so that two programs that ask at the
 * same time do not interfere. The prefix, which needs https, prevents sibling hosts from planting one.
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
