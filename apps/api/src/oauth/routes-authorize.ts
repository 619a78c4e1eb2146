import { z } from "zod";
import { open, route, type Route } from "@countersign/platform/http";
import type { makeAuthorize } from "./authorize.ts";
import { oauthErrors } from "./errors.ts";
import { authorizePageSurface } from "./surface.ts";

/**
 * A parameter without a value counts as missing (RFC 6749, 3.1). A repeated one is rejected, because two
 * readers might use different values.
 */
const parameter = (longest = 2048) =>
  z
    .string()
    .max(longest)
    .transform((text) => (text === "" ? undefined : text))
    .optional();

const Asked = z.object({
  client_id: z.string().min(1).max(2000),
  redirect_uri: parameter(),
  response_type: parameter().meta({ description: "Must be `code`." }),
  code_challenge: parameter(),
  code_challenge_method: parameter().meta({ description: "Must be `S256`." }),
  state: parameter(),
  scope: parameter(),
  resource: z.union([z.string(), z.array(z.string())]).optional(),
});

export const authorizeRoutes = (authorize: ReturnType<typeof makeAuthorize>): readonly Route[] => [
  route({
    method: "GET",
    path: "/oauth/authorize",
    summary: "Ask an owner for access through their browser",
    description:
      "OAuth 2.1 with PKCE. Redirects to the page where the owner decides, or back to the client with `error`. If the client or its " +
      "`redirect_uri` is unknown, there is no redirect but a 400, as a page for browsers.",
    tag: "OAuth",
    auth: open,
    surface: authorizePageSurface,
    query: Asked,
    replies: { 302: z.undefined().meta({ description: "To the consent page, or back to the client" }) },
    refuses: [oauthErrors.unknownClient, oauthErrors.redirectUriUnknown, oauthErrors.documentUnavailable],
    handle: async ({ query, headers }) => {
      const { location, cookie } = await authorize(
        {
          clientId: query.client_id,
          redirectUri: query.redirect_uri,
          responseType: query.response_type,
          codeChallenge: query.code_challenge,
          codeChallengeMethod: query.code_challenge_method,
          state: query.state,
          scope: query.scope,
          resource: query.resource,
        },
        headers,
      );
      return {
        status: 302 as const,
        body: undefined,
        headers: { Location: location, ...(cookie === undefined ? {} : { "Set-Cookie": cookie }) },
      };
    },
  }),
];
