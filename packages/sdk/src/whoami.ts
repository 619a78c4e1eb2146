// Whom the service takes us for.
import type { Credential } from "./credential.ts";
import { CountersignError } from "./errors.ts";
import type { GetUserApiKeysSelfResponse, UserIdentity } from "./generated/api.ts";
import type { Http } from "./http.ts";
import type { RequestOptions } from "./options.ts";
import type { Hex } from "./types.ts";

export type Identity =
  | {
      readonly kind: "apiKey";
      readonly id: string;
      readonly type: string;
      readonly label: string;
      readonly scopes: readonly string[];
      /** Null: a key of the service itself, which belongs to no account. */
      readonly address: Hex | null;
    }
  | {
      readonly kind: "session";
      /** Of the user. */
      readonly id: string;
      readonly address: Hex;
      /** When it ends, unless it is renewed before; each renewal puts it off. Undefined if its token does not say. */
      readonly expiresAt: Date | undefined;
    };

export type WhoAmI = {
  readonly whoami: (options?: RequestOptions) => Promise<Identity>;
  /** The account that the credential belongs to. Asked for once. */
  readonly address: (options?: RequestOptions) => Promise<Hex>;
};

export function makeWhoAmI(http: Http, credential: Credential | undefined): WhoAmI {
  let known: Hex | undefined;
  const whoami = async ({ signal }: RequestOptions = {}): Promise<Identity> => {
    if (credential === undefined) throw new CountersignError("This takes an API key or a session");
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
      throw new CountersignError("This key belongs to no account: say whose, as escrowAddress");
    },
  };
}

/** Of a JWT, unproven: good enough to tell its owner, and for nothing else. */
function readExpiry(token: string): Date | undefined {
  try {
    const [, claims = ""] = token.split(".");
    const { exp } = JSON.parse(atob(claims.replaceAll("-", "+").replaceAll("_", "/"))) as { exp?: unknown };
    return typeof exp === "number" ? new Date(exp * 1000) : undefined;
  } catch {
    return undefined;
  }
}
