import { z } from "zod";
import { ok, open, route, type Route } from "@countersign/platform/http";
import { jwt } from "../sign-in/index.ts";
import type { makeApprove, makeDeny } from "./answer-consent.ts";
import { consentErrors } from "./errors.ts";
import type { makeReadConsent } from "./read-consent.ts";
import { allScopes } from "./scopes.ts";

type Parts = {
  readonly readConsent: ReturnType<typeof makeReadConsent>;
  readonly approve: ReturnType<typeof makeApprove>;
  readonly deny: ReturnType<typeof makeDeny>;
};

const Consent = z
  .object({
    sessionId: z.string(),
    status: z.literal("pending"),
    client: z.object({
      clientId: z.string(),
      clientName: z.string(),
      clientUri: z.string().nullable(),
      registration: z.enum(["dynamic", "metadata-document"]),
      clientIdHost: z.string().nullable(),
    }),
    redirectUri: z.string(),
    redirectHost: z.string(),
    redirectIsLoopback: z.boolean(),
    redirectIsPrivateUse: z.boolean(),
    scopes: z.array(z.object({ name: z.enum(allScopes), description: z.string() })),
    resource: z.string(),
    resourceName: z.string(),
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime(),
  })
  .meta({
    id: "ConsentRequest",
    description: "An OAuth client's request for access, as the owner reviews it.",
  });

const Answered = z.object({ sessionId: z.uuid() });
const SendOn = z.object({ redirectUrl: z.string() });
const refuses = [
  consentErrors.decided,
  consentErrors.otherBrowser,
  consentErrors.unknown,
  consentErrors.over,
] as const;

export const consentRoutes = ({ readConsent, approve, deny }: Parts): readonly Route[] => [
  route({
    method: "GET",
    path: "/oauth/session-info",
    summary: "Describe a request for access",
    description:
      "For the consent page. Names and addresses are the program's own claims: show them as text, with the " +
      "host that the answer goes to, and warn if that is this machine or a private-use scheme.",
    tag: "OAuth",
    auth: open,
    query: z.object({ session: z.uuid() }),
    replies: { 200: Consent },
    refuses: [consentErrors.unknown, consentErrors.over],
    handle: async ({ query }) => {
      const { createdAt, expiresAt, scopes, ...consent } = await readConsent(query.session);
      return ok({
        ...consent,
        scopes: [...scopes],
        createdAt: createdAt.toISOString(),
        expiresAt: expiresAt.toISOString(),
      });
    },
  }),
  route({
    method: "POST",
    path: "/oauth/approve",
    summary: "Give a program access to my account",
    description: "Send the browser to `redirectUrl`. A page must never call this automatically.",
    tag: "OAuth",
    auth: jwt,
    body: Answered,
    replies: { 200: SendOn },
    refuses,
    handle: async ({ body, caller, headers }) =>
      ok({ redirectUrl: await approve(body.sessionId, caller.account, headers) }),
  }),
  route({
    method: "POST",
    path: "/oauth/deny",
    summary: "Deny a program access to my account",
    description: "Send the browser to `redirectUrl`, where the program gets the answer.",
    tag: "OAuth",
    auth: jwt,
    body: Answered,
    replies: { 200: SendOn },
    refuses,
    handle: async ({ body, headers }) => ok({ redirectUrl: await deny(body.sessionId, headers) }),
  }),
];
