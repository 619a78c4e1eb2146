import type { z } from "zod";
import { ok, open, route, type Route } from "@countersign/platform/http";
import { AuthorizationServer, describeResource, describeServer, ProtectedResource } from "./discovery.ts";

const cacheable = { "Cache-Control": "public, max-age=300" };

type Parts = {
  readonly baseUrl: string;
  /** Whether a client may be identified by the URL of its metadata document. */
  readonly readsDocuments: boolean;
};

/** A public document, readable from any page, at the URL with and without the path of its subject. */
const atBothForms = <Body extends z.ZodObject>(
  path: `/${string}`,
  schema: Body,
  body: z.input<Body>,
  summary: string,
): readonly Route[] =>
  ([path, `${path}/mcp`] as const).map((at) =>
    route({
      method: "GET",
      path: at,
      summary,
      tag: "OAuth",
      auth: open,
      cors: "any",
      replies: { 200: schema },
      handle: () => ok(body, cacheable),
    }),
  );

export const discoveryRoutes = ({ baseUrl, readsDocuments }: Parts): readonly Route[] => [
  ...atBothForms(
    "/.well-known/oauth-protected-resource",
    ProtectedResource,
    describeResource(baseUrl),
    "Describe /mcp and its authorization server (RFC 9728)",
  ),
  ...atBothForms(
    "/.well-known/oauth-authorization-server",
    AuthorizationServer,
    describeServer(baseUrl, { readsDocuments }),
    "Where and how to ask for access (RFC 8414)",
  ),
];
