import type { z } from "zod";
import { ok, open, route, type Route } from "@countersign/platform/http";
import { AuthorizationServer, describeResource, describeServer, ProtectedResource } from "./discovery.ts";

const cacheable = { "Cache-Control": "public, max-age=300" };

type Parts = {
  readonly baseUrl: string;
  /** Whether a client may be named by the address of its metadata document. */
  readonly readsDocuments: boolean;
};

/** A document that anybody may read, from any page, at the address without and with the path of what it is about. */
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
    "What /mcp is and who lets in to it (RFC 9728)",
  ),
  ...atBothForms(
    "/.well-known/oauth-authorization-server",
    AuthorizationServer,
    describeServer(baseUrl, { readsDocuments }),
    "Where and how to ask for access (RFC 8414)",
  ),
];
