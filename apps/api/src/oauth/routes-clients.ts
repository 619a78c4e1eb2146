import { z } from "zod";
import { open, perIp, route, type Route } from "@countersign/platform/http";
import { oauthErrors } from "./errors.ts";
import { Registered, Registration, type makeRegister } from "./register.ts";
import { oauthSurface } from "./surface.ts";

/** Documented with its schema but accepted as any object, so that errors take the form of RFC 7591. */
const { properties, required } = z.toJSONSchema(Registration, { io: "input" });
const Asked = z.looseObject({}).meta({ properties, required });

type Parts = {
  readonly register: ReturnType<typeof makeRegister>;
  readonly registrationsPerMinutePerIp: number;
};

export const clientRoutes = ({ register, registrationsPerMinutePerIp }: Parts): readonly Route[] => [
  route({
    method: "POST",
    path: "/oauth/register",
    summary: "Register an OAuth client",
    description:
      "RFC 7591. Only `redirect_uris` is required. Only this answer contains the secret, if the client asked for one. " +
      "Unknown members are ignored. A client that no owner ever approved is deleted after a week.",
    tag: "OAuth",
    auth: open,
    cors: "any",
    surface: oauthSurface,
    limit: [perIp(registrationsPerMinutePerIp)],
    body: Asked,
    bodyLimitBytes: 64 * 1024,
    replies: { 201: Registered },
    refuses: [oauthErrors.invalidRedirectUri, oauthErrors.invalidClientMetadata],
    handle: async ({ body }) => ({
      status: 201 as const,
      body: await register(body),
      headers: { "Cache-Control": "no-store", Pragma: "no-cache" },
    }),
  }),
];
