import { z } from "zod";
import { authMethods } from "./client.ts";
import { allScopes } from "./scopes.ts";

const scopes = z.array(z.string());
const methods = z.array(z.enum(authMethods));

/** RFC 9728. */
export const ProtectedResource = z.object({
  resource: z.string(),
  authorization_servers: z.array(z.string()),
  scopes_supported: scopes,
  bearer_methods_supported: z.array(z.literal("header")),
  resource_name: z.string(),
  resource_documentation: z.string(),
});

/** RFC 8414. Only the supported members. */
export const AuthorizationServer = z.object({
  issuer: z.string(),
  authorization_endpoint: z.string(),
  token_endpoint: z.string(),
  registration_endpoint: z.string(),
  revocation_endpoint: z.string(),
  jwks_uri: z.string(),
  scopes_supported: scopes,
  response_types_supported: z.array(z.literal("code")),
  response_modes_supported: z.array(z.literal("query")),
  grant_types_supported: z.array(z.enum(["authorization_code", "refresh_token"])),
  token_endpoint_auth_methods_supported: methods,
  revocation_endpoint_auth_methods_supported: methods,
  code_challenge_methods_supported: z.array(z.literal("S256")),
  authorization_response_iss_parameter_supported: z.literal(true),
  client_id_metadata_document_supported: z.literal(true).optional(),
  service_documentation: z.string(),
});

/** Built from the configured base URL alone, byte for byte, never from the request. */
export const describeResource = (baseUrl: string): z.output<typeof ProtectedResource> => ({
  resource: `${baseUrl}/mcp`,
  authorization_servers: [baseUrl],
  scopes_supported: [...allScopes],
  bearer_methods_supported: ["header"],
  resource_name: "Countersign",
  resource_documentation: `${baseUrl}/docs`,
});

export const describeServer = (
  baseUrl: string,
  { readsDocuments }: { readonly readsDocuments: boolean },
): z.output<typeof AuthorizationServer> => ({
  issuer: baseUrl,
  authorization_endpoint: `${baseUrl}/oauth/authorize`,
  token_endpoint: `${baseUrl}/oauth/token`,
  registration_endpoint: `${baseUrl}/oauth/register`,
  revocation_endpoint: `${baseUrl}/oauth/revoke`,
  jwks_uri: `${baseUrl}/.well-known/jwks.json`,
  scopes_supported: [...allScopes],
  response_types_supported: ["code"],
  response_modes_supported: ["query"],
  grant_types_supported: ["authorization_code", "refresh_token"],
  token_endpoint_auth_methods_supported: [...authMethods],
  revocation_endpoint_auth_methods_supported: [...authMethods],
  code_challenge_methods_supported: ["S256"],
  authorization_response_iss_parameter_supported: true,
  // Clients that see it no longer register, so it is set only if it works.
  ...(readsDocuments ? { client_id_metadata_document_supported: true } : {}),
  service_documentation: `${baseUrl}/docs`,
});
