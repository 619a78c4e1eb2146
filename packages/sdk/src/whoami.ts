// The identity of the credential.
import type { Credential } from "./credential.ts";
import { CountersignError } from "./errors.ts";
import type { GetUserApiKeysSelfResponse, UserIdentity } from "./generated/api.ts";
import type { Http } from "./http.ts";
import type { RequestOptions } from "./options.ts";
import type { Hex } from "./types.ts";

/** The owner of the credential. */
export type Identity =
  | {
      readonly kind: "apiKey";
      readonly id: string;
      readonly type: string;
      readonly label: string;
      readonly scopes: readonly string[];
      /** Null for a service key, which does not belong to an account. */
      readonly address: Hex | null;
    }
  | {
      readonly kind: "session";
      /** The user's id. */
      readonly id: string;
      readonly address: Hex;
      /** When the session ends. Each refresh extends it. Undefined if the token does not contain it. */
      readonly expiresAt: Date | undefined;
    };

/** The call that identifies the caller. */
export type WhoAmI = {
  /** Returns the owner of the credential. Throws a CountersignError without one. */
  readonly whoami: (options?: RequestOptions) => Promise<Identity>;
  /** Returns the account of the credential. Cached after the first call. */
  readonly address: (options?: RequestOptions) => Promise<Hex>;
};

export function makeWhoAmI(http: Http, credential: Credential | undefined): WhoAmI {
  let known: Hex | undefined;
  const whoami = async ({ signal }: RequestOptions = {}): Promise<Identity> => {
    if (credential === undefined) throw new CountersignError("This call needs an API key or a session");
    if (credential.kind === "apiKey") {
      const { body } = await http<GetUserApiKeysSelfResponse>("/user-api-keys/self", { signal });
      const { id, type, label, scopes, ethereumAddress } = body;
      return { kind: "apiKey", ...{ id, type, label, scopes }, address: ethereumAddress as Hex | null };
    }
    const { body } = await http<UserIdentity>("/auth/me", { signal });
    const { refreshToken } = await credential.session();
    return {
      kind: "session",
      ...{ id: body.id, address: body.ethereumAddress as Hex, expiresAt: readExpiry(refreshToken) },
    };
  };
  return {
    whoami,
    address: async (options) => {
      known ??= (await whoami(options)).address ?? undefined;
      if (known !== undefined) return known;
      throw new CountersignError("This key does not belong to an account: set escrowAddress");
    },
  };
}

/** Reads the expiry of a JWT without verifying it. For display only. */
function readExpiry(token: string): Date | undefined {
  try {
    const [, claims = ""] = token.split(".");
    const { exp } = JSON.parse(atob(claims.replaceAll("-", "+").replaceAll("_", "/"))) as { exp?: unknown };
    return typeof exp === "number" ? new Date(exp * 1000) : undefined;
  } catch {
    return undefined;
  }
}
