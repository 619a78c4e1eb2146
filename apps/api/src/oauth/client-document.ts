import { z } from "zod";
import type { Client } from "./client.ts";
import { ClientName, RedirectUris, WebPage } from "./client-metadata.ts";

const [minute, day] = [60, 24 * 60 * 60];

/** A name with a domain: not a number in any notation, and no trailing dot. */
const named = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.[a-z][a-z0-9-]*$/;
/** Names that resolve only inside a private network, perhaps ours. */
const inside = /\.(?:local|localhost|internal|intranet|lan|home|corp|home\.arpa)$/;

/**
 * Whether an id is the URL of a metadata document. Only one spelling is accepted, because ids are compared
 * byte for byte. Serving a document at a path is taken as the host's permission, so the root does not count,
 * nor does another port.
 */
export function isDocumentId(id: string): boolean {
  if (id.length > 2000 || !id.startsWith("https://") || id.includes("#")) return false;
  const url = URL.parse(id);
  // The parser drops a default port, resolves dots and lower-cases, so another spelling does not come out unchanged.
  if (url?.href !== id) return false;
  const { hostname, port, pathname, username, password } = url;
  if (`${port}${username}${password}` !== "" || pathname === "/") return false;
  return named.test(hostname) && !inside.test(hostname);
}

/** A document has fewer members than a registration: there is no shared secret. */
const ClientDocument = z
  .object({
    client_id: z.string(),
    client_name: ClientName,
    redirect_uris: RedirectUris,
    client_uri: WebPage,
    client_secret: z.undefined().optional(),
    token_endpoint_auth_method: z.string().nullish(),
    token_endpoint_auth_methods_supported: z.array(z.unknown()).nullish(),
  })
  .refine(
    ({ token_endpoint_auth_method: one, token_endpoint_auth_methods_supported: all }) =>
      // Some prefer a method that we do not support and also list this one.
      (one ?? "none") === "none" || all?.includes("none") === true,
    "must allow none as the method of authentication",
  );

/** Parses the document at that address. Rejects if it is invalid or names another id. */
export function readClientDocument(id: string, document: unknown): Client {
  const { client_id: said, ...metadata } = ClientDocument.parse(document);
  if (said !== id) throw new Error("the client_id in the document is not its URL");
  return {
    id,
    registration: "metadata-document",
    secretHash: null,
    authMethod: "none",
    redirectUris: metadata.redirect_uris,
    name: metadata.client_name,
    clientUri: metadata.client_uri,
  };
}

/**
 * How long its server wants it cached, within bounds: no host makes us fetch it for every request, and none
 * keeps an old one alive.
 */
export function freshSecondsOf(cacheControl: string): number {
  const directives = cacheControl.toLowerCase();
  const asked = /(?:^|[\s,])max-age="?(\d{1,9})/.exec(directives)?.[1];
  const isUncacheable = /(?:^|[\s,])no-(?:store|cache)(?:$|[\s,=])/.test(directives);
  const seconds = isUncacheable || asked === undefined ? 0 : Number(asked);
  return Math.min(Math.max(seconds, 5 * minute), day);
}
