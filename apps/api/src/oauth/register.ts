import { z } from "zod";
import { newId } from "@countersign/platform/ids";
import { authMethods, type AuthMethod } from "./client.ts";
import { ClientName, includes, RedirectUris, WebPage } from "./client-metadata.ts";
import { oauthErrors } from "./errors.ts";
import { allScopes } from "./scopes.ts";
import { hashOfSecret, makeSecretText } from "./secret-text.ts";
import type { ClientStore } from "./store/clients.ts";

const grantTypes = ["authorization_code", "refresh_token"] as const;

/** RFC 7591. Unknown members are ignored. */
export const Registration = z.object({
  redirect_uris: RedirectUris,
  client_name: ClientName,
  // Every client gets both. Other requested values are dropped, not rejected.
  grant_types: includes("authorization_code"),
  response_types: includes("code"),
  token_endpoint_auth_method: z.enum(authMethods).nullish(),
  scope: z.string().nullish(),
  client_uri: WebPage,
  logo_uri: WebPage,
  policy_uri: WebPage,
  tos_uri: WebPage,
});

/** Members that do not apply are omitted, because some clients reject null. */
export const Registered = z.object({
  client_id: z.string(),
  client_id_issued_at: z.int(),
  client_secret: z.string().optional(),
  client_secret_expires_at: z.literal(0).optional().meta({ description: "0: never" }),
  redirect_uris: z.array(z.string()),
  client_name: z.string(),
  client_uri: z.string().optional(),
  grant_types: z.array(z.enum(grantTypes)),
  response_types: z.array(z.literal("code")),
  token_endpoint_auth_method: z.enum(authMethods),
  scope: z.string(),
});

function parse(asked: unknown): z.output<typeof Registration> {
  const { data, error } = Registration.safeParse(asked);
  if (data !== undefined) return data;
  if (error.issues.some(({ path }) => path[0] === "redirect_uris")) throw oauthErrors.invalidRedirectUri();
  const complaints = error.issues.map(({ path, message }) => `${String(path[0])}: ${message}`);
  throw oauthErrors.invalidClientMetadata({ message: [...new Set(complaints)].join("; ") });
}

/** Uses only characters that no encoding changes, because clients apply encodings inconsistently. */
const aSecretFor = (method: AuthMethod): string | undefined =>
  method === "none" ? undefined : makeSecretText();

/** Registers an unknown program, which may then ask owners for access and nothing else. */
export const makeRegister = ({ store }: { readonly store: Pick<ClientStore, "add"> }) =>
  async function register(asked: unknown): Promise<z.output<typeof Registered>> {
    const metadata = parse(asked);
    const { redirect_uris: redirectUris, client_name: name, client_uri: clientUri } = metadata;
    // The default in RFC 7591.
    const authMethod = metadata.token_endpoint_auth_method ?? "client_secret_basic";
    const secret = aSecretFor(authMethod);
    const secretHash = secret === undefined ? null : hashOfSecret(secret);
    const id = newId();
    const createdAt = await store.add({ id, secretHash, authMethod, redirectUris, name, clientUri });
    return {
      client_id: id,
      client_id_issued_at: Math.floor(createdAt.getTime() / 1000),
      ...(secret === undefined ? {} : { client_secret: secret, client_secret_expires_at: 0 }),
      redirect_uris: [...redirectUris],
      client_name: name,
      ...(clientUri === null ? {} : { client_uri: clientUri }),
      grant_types: [...grantTypes],
      response_types: ["code"],
      token_endpoint_auth_method: authMethod,
      scope: allScopes.join(" "),
    };
  };
