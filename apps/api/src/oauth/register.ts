import { z } from "zod";
import { newId } from "@countersign/platform/ids";
import { authMethods, type AuthMethod } from "./client.ts";
import { ClientName, includes, RedirectUris, WebPage } from "./client-metadata.ts";
import { oauthErrors } from "./errors.ts";
import { allScopes } from "./scopes.ts";
import { hashOfSecret, makeSecretText } from "./secret-text.ts";
import type { ClientStore } from "./store/clients.ts";

const grantTypes = ["authorization_code", "refresh_token"] as const;

/** RFC 7591. What is not named here is ignored. */
export const Registration = z.object({
  redirect_uris: RedirectUris,
  client_name: ClientName,
  // Every client is given both: what else is asked for is left out, not refused.
  grant_types: includes("authorization_code"),
  response_types: includes("code"),
  token_endpoint_auth_method: z.enum(authMethods).nullish(),
  scope: z.string().nullish(),
  client_uri: WebPage,
  logo_uri: WebPage,
  policy_uri: WebPage,
  tos_uri: WebPage,
});

/** The answer. A member that does not apply is left out: some clients refuse null. */
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

/** Of characters that mean themselves in every encoding that clients put them through, or forget to. */
const aSecretFor = (method: AuthMethod): string | undefined =>
  method === "none" ? undefined : makeSecretText();

/** Takes in a program that nobody knows. It may then ask owners for access; no more than that. */
export const makeRegister = ({ store }: { readonly store: Pick<ClientStore, "add"> }) =>
  async function register(asked: unknown): Promise<z.output<typeof Registered>> {
    const metadata = parse(asked);
    const { redirect_uris: redirectUris, client_name: name, client_uri: clientUri } = metadata;
    // What RFC 7591 has for clients that do not say.
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
