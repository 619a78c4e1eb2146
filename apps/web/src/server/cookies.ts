// The session, as the browser keeps it: out of reach of every script, and sent by no other site.
import type { Clock } from "@countersign/platform/clock";
import { expiryOf } from "./tokens.ts";
import type { TokenPair } from "./tokens.ts";

export type Cookies = {
  /** What the browser showed of a session. */
  readonly read: (header: string | undefined) => Partial<TokenPair>;
  readonly keep: (pair: TokenPair) => readonly string[];
  readonly forget: readonly string[];
};

const named = (header: string | undefined, name: string): string | undefined =>
  header
    ?.split(";")
    .map((part) => part.trim())
    .find((part) => part.startsWith(`${name}=`))
    ?.slice(name.length + 1);

const browserMarks = ["oauth_txn", "__Host-oauth_txn"];

/** The one foreign cookie that some calls carry: by it the main service knows a browser again. */
export function browserMarkIn(header: string | undefined): string | undefined {
  const found = browserMarks.flatMap((name) => {
    const value = named(header, name);
    return value === undefined ? [] : [`${name}=${value}`];
  });
  return found.length === 0 ? undefined : found.join("; ");
}

/** The prefix keeps neighbours of our host from planting a session; it needs https. */
export function makeCookies({
  isSecure,
  clock,
}: {
  readonly isSecure: boolean;
  readonly clock: Clock;
}): Cookies {
  const prefix = isSecure ? "__Host-" : "";
  const access = `${prefix}cs_access`;
  const refresh = `${prefix}cs_refresh`;
  const attributes = `Path=/; HttpOnly; SameSite=Strict${isSecure ? "; Secure" : ""}`;
  const cookie = (name: string, value: string, seconds: number): string =>
    `${name}=${value}; Max-Age=${seconds}; ${attributes}`;
  return {
    read: (header) => {
      const accessToken = named(header, access);
      const refreshToken = named(header, refresh);
      return {
        ...(accessToken === undefined ? {} : { accessToken }),
        ...(refreshToken === undefined ? {} : { refreshToken }),
      };
    },
    keep: ({ accessToken, refreshToken }) => {
      const left = (expiryOf(refreshToken) ?? 0) - clock.now().getTime();
      const seconds = Math.max(0, Math.floor(left / 1000));
      return [cookie(access, accessToken, seconds), cookie(refresh, refreshToken, seconds)];
    },
    forget: [cookie(access, "", 0), cookie(refresh, "", 0)],
  };
}
