import { z } from "zod";
import { ok, open, perCaller, perIp, perValue, route, type Route } from "@countersign/platform/http";
import { apiKeyErrors } from "../api-keys/index.ts";
import { jwt } from "../sign-in/index.ts";
import type { makeApprove } from "./approve.ts";
import { connectErrors } from "./errors.ts";
import type { makeInitiate } from "./initiate.ts";
import type { makePoll } from "./poll.ts";
import type { makeReadInfo } from "./read-info.ts";

// Any text: a malformed code is treated as unknown.
const Code = z.string().min(1).meta({ description: "32 hexadecimal characters" });
const CodeChallenge = z
  .string()
  .regex(/^[A-Za-z0-9_-]{43}$/, "must be the base64url of a SHA-256")
  .meta({ description: "S256 of a verifier, as in PKCE; polling then needs the verifier" });

const headerText = (value: string | readonly string[] | undefined): string | undefined =>
  typeof value === "string" ? value : undefined;

type Parts = {
  readonly initiate: ReturnType<typeof makeInitiate>;
  readonly poll: ReturnType<typeof makePoll>;
  readonly approve: ReturnType<typeof makeApprove>;
  readonly readInfo: ReturnType<typeof makeReadInfo>;
};

const forAgents = ({ initiate, poll }: Parts): readonly Route[] => [
  route({
    method: "POST",
    path: "/auth/connect/initiate",
    summary: "Start connecting an agent to its owner's account",
    description: "Show the owner `authUrl` and the first four characters of the code. Valid for ten minutes.",
    tag: "Connect",
    auth: open,
    limit: [perIp(10)],
    body: z.object({ codeChallenge: CodeChallenge.optional() }).optional(),
    replies: { 200: z.object({ code: z.string(), authUrl: z.string() }) },
    handle: async ({ body, ip, headers }) =>
      ok(
        await initiate({
          codeChallenge: body?.codeChallenge ?? null,
          ip,
          userAgent: headerText(headers["user-agent"]) ?? "",
        }),
      ),
  }),
  route({
    method: "GET",
    path: "/auth/connect/status",
    summary: "Poll for the owner's approval",
    description:
      "Poll every 3 to 5 seconds. Only one answer contains the key. Show the user `walletAddress`: the key acts for that " +
      "account. If the code was created with a challenge, send the verifier as `codeVerifier` or, better, `x-connect-verifier`.",
    tag: "Connect",
    auth: open,
    // Also per code: one code belongs to one polling agent, from however many addresses.
    limit: [perIp(30), perValue("code", 30)],
    query: z.object({ code: Code, codeVerifier: z.string().optional() }),
    replies: {
      200: z.discriminatedUnion("status", [
        z.object({ status: z.literal("pending") }),
        z.object({ status: z.literal("ready"), apiKey: z.string(), walletAddress: z.string() }),
      ]),
    },
    refuses: [connectErrors.notFound, connectErrors.gone],
    handle: async ({ query, headers }) =>
      ok(await poll(query.code, headerText(headers["x-connect-verifier"]) ?? query.codeVerifier)),
  }),
];

const forOwners = ({ approve, readInfo }: Parts): readonly Route[] => [
  route({
    method: "GET",
    path: "/auth/connect/info",
    summary: "Describe a connection request",
    description: "For the page that asks the owner. Its `userAgent` is a stranger's claim.",
    tag: "Connect",
    auth: jwt,
    query: z.object({ code: Code }),
    replies: {
      200: z.object({
        status: z.enum(["pending", "ready"]),
        createdAt: z.iso.datetime(),
        expiresAt: z.iso.datetime(),
        initiatorAddress: z.string(),
        userAgent: z.string(),
        codePrefix: z.string(),
      }),
    },
    refuses: [connectErrors.notFound, connectErrors.gone],
    handle: async ({ query }) => {
      const { createdAt, expiresAt, initiatorIp, ...info } = await readInfo(query.code);
      return ok({
        ...info,
        createdAt: createdAt.toISOString(),
        expiresAt: expiresAt.toISOString(),
        initiatorAddress: initiatorIp,
      });
    },
  }),
  route({
    method: "POST",
    path: "/auth/connect/approve",
    summary: "Connect an agent to my account",
    description:
      "The holder of the code then gets a key of the account. A page must never call this automatically.",
    tag: "Connect",
    auth: jwt,
    // Per address against tokens of many accounts, per account against many addresses, and per code.
    limit: [perIp(5), perCaller("jwt", 5), perValue("code", 5)],
    body: z.object({ code: Code }),
    replies: { 200: z.object({ success: z.literal(true) }) },
    refuses: [connectErrors.notPending, apiKeyErrors.tooMany, connectErrors.notFound, connectErrors.gone],
    handle: async ({ body, caller, ip }) => {
      await approve(body.code, { account: caller.account, ip });
      return ok({ success: true as const });
    },
  }),
];

export const connectRoutes = (parts: Parts): readonly Route[] => [...forAgents(parts), ...forOwners(parts)];
