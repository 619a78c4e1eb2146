import { z } from "zod";
import { open, route, type Route } from "@countersign/platform/http";
import { oauthErrors } from "./errors.ts";
import type { makeIssueTokens } from "./issue-tokens.ts";
import type { makeRevoke } from "./revoke.ts";
import { oauthSurface } from "./surface.ts";

type Parts = {
  readonly issueTokens: ReturnType<typeof makeIssueTokens>;
  readonly revoke: ReturnType<typeof makeRevoke>;
};

/** Sent without a value is not sent (RFC 6749, 3.2). Sent twice it is refused. */
const parameter = () =>
  z
    .string()
    .max(4096)
    .transform((text) => (text === "" ? undefined : text))
    .optional();

const ofClient = {
  client_id: parameter(),
  client_secret: parameter(),
};

const Asked = z.object({
  grant_type: parameter().meta({ description: "`authorization_code` or `refresh_token`." }),
  code: parameter(),
  code_verifier: parameter(),
  redirect_uri: parameter(),
  refresh_token: parameter(),
  scope: parameter(),
  resource: z.union([z.string(), z.array(z.string())]).optional(),
  ...ofClient,
});

const Issued = z
  .object({
    access_token: z.string(),
    token_type: z.literal("bearer"),
    expires_in: z.number().int(),
    refresh_token: z.string(),
    scope: z.string(),
  })
  .meta({ id: "OAuthTokens" });

const ofAuthentication = [
  oauthErrors.invalidRequest,
  oauthErrors.invalidClient,
  oauthErrors.temporarilyUnavailable,
];

/** What a client of either endpoint may count on: from any page, as a form or as JSON, in the words of RFC 6749. */
const common = {
  tag: "OAuth",
  auth: open,
  cors: "any",
  surface: oauthSurface,
  form: true,
  bodyLimitBytes: 64 * 1024,
} as const;

const givingTokens = (issueTokens: Parts["issueTokens"]): Route =>
  route({
    ...common,
    method: "POST",
    path: "/oauth/token",
    summary: "Tokens for a code or a refresh token",
    description:
      "A form, or the same as JSON. A refresh token is good once: shown again it is refused, and after a minute its grant ends.",
    body: Asked,
    replies: { 200: Issued },
    refuses: [
      ...ofAuthentication,
      oauthErrors.invalidGrant,
      oauthErrors.unsupportedGrantType,
      oauthErrors.invalidScope,
      oauthErrors.invalidTarget,
    ],
    handle: async ({ body, headers }) => {
      const { client_id, client_secret, resource } = body;
      const tokens = await issueTokens(
        { headers, form: { client_id, client_secret } },
        {
          grantType: body.grant_type,
          code: body.code,
          codeVerifier: body.code_verifier,
          redirectUri: body.redirect_uri,
          refreshToken: body.refresh_token,
          scope: body.scope,
          resource,
        },
      );
      return {
        status: 200 as const,
        headers: { "Cache-Control": "no-store", Pragma: "no-cache" },
        body: {
          access_token: tokens.accessToken,
          token_type: "bearer" as const,
          expires_in: tokens.expiresInSeconds,
          refresh_token: tokens.refreshToken,
          scope: tokens.scopes.join(" "),
        },
      };
    },
  });

const takingBack = (revoke: Parts["revoke"]): Route =>
  route({
    ...common,
    method: "POST",
    path: "/oauth/revoke",
    summary: "Give access back",
    description:
      "RFC 7009. Either token ends the whole grant. One that is unknown or another client's changes nothing and is answered alike.",
    body: z.object({ token: z.string().min(1).max(4096), token_type_hint: parameter(), ...ofClient }),
    replies: { 200: z.object({}) },
    refuses: ofAuthentication,
    handle: async ({ body: { token, client_id, client_secret }, headers }) => {
      await revoke({ headers, form: { client_id, client_secret } }, token);
      return { status: 200 as const, body: {} };
    },
  });

export const tokenRoutes = ({ issueTokens, revoke }: Parts): readonly Route[] => [
  givingTokens(issueTokens),
  takingBack(revoke),
];
