import { z } from "zod";
import { ok, route, type Route } from "@countersign/platform/http";
import { jwt } from "../sign-in/index.ts";
import { consentErrors } from "./errors.ts";
import { allScopes } from "./scopes.ts";
import type { GrantStore } from "./store/grants.ts";

const Grant = z
  .object({
    id: z.string(),
    clientId: z.string(),
    clientName: z.string(),
    scopes: z.array(z.enum(allScopes)),
    redirectHost: z
      .string()
      .nullable()
      .meta({ description: "Where my answer was sent, as I was shown it when I let the program in." }),
    createdAt: z.iso.datetime(),
    lastUsedAt: z.iso.datetime(),
  })
  .meta({ id: "OAuthGrant", description: "The access that an owner gave to an OAuth client." });

export const grantRoutes = (grants: Pick<GrantStore, "listOf" | "endOne">): readonly Route[] => [
  route({
    method: "GET",
    path: "/oauth/grants",
    summary: "List the programs with access to my account",
    tag: "OAuth",
    auth: jwt,
    replies: { 200: z.array(Grant) },
    handle: async ({ caller }) => {
      const all = await grants.listOf(caller.account);
      return ok(
        all.map(({ scopes, createdAt, lastUsedAt, ...grant }) => ({
          ...grant,
          scopes: [...scopes],
          createdAt: createdAt.toISOString(),
          lastUsedAt: lastUsedAt.toISOString(),
        })),
      );
    },
  }),
  route({
    method: "DELETE",
    path: "/oauth/grants/{id}",
    summary: "Remove a program's access",
    description: "Its tokens end at once.",
    tag: "OAuth",
    auth: jwt,
    params: z.object({ id: z.uuid() }),
    replies: { 204: z.undefined() },
    refuses: [consentErrors.noSuchGrant],
    handle: async ({ params, caller }) => {
      if (!(await grants.endOne(params.id, caller.account))) throw consentErrors.noSuchGrant();
      return { status: 204 as const, body: undefined };
    },
  }),
];
