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

/** A parameter without a value counts as missing (RFC 6749, 3.2). A repeated one is rejected. */
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
  .meta({ id: "OAuthTokens", description: "An access token and its refresh token (RFC 6749)." });

const ofAuthentication = [
  oauthErrors.invalidRequest,
  oauthErrors.invalidClient,
  oauthErrors.temporarilyUnavailable,
];

/** Shared by both endpoints: callable from any page, with a form or JSON, with errors as in RFC 6749. */
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
    summary: "Exchange a code or a refresh token for tokens",
    description:
      "A form, or the same as JSON. A refresh token works once: presented again it is rejected, and after a minute its grant ends.",
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
    summary: "Revoke a token and its grant",
    description:
      "RFC 7009. Either token ends the whole grant. An unknown token, or another client's, changes nothing and gets the same answer.",
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
