// Session cookies: HttpOnly and SameSite=Strict.
import type { Clock } from "@countersign/platform/clock";
import { expiryOf } from "./tokens.ts";
import type { TokenPair } from "./tokens.ts";

export type Cookies = {
  /** The session cookies of a request. */
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

/** The only cookie that is passed on: the main service recognizes the browser by it. */
export function browserMarkIn(header: string | undefined): string | undefined {
  const found = browserMarks.flatMap((name) => {
    const value = named(header, name);
    return value === undefined ? [] : [`${name}=${value}`];
  });
  return found.length === 0 ? undefined : found.join("; ");
}

/** The __Host- prefix prevents subdomains from planting a session. It requires https. */
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
