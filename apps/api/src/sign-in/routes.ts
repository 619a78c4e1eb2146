import { z } from "zod";
import {
  credential,
  defaultLimits,
  networkOf,
  ok,
  open,
  route,
  type Route,
} from "@countersign/platform/http";
import { EthereumAddress, identityOf, UserIdentity, type Account } from "../accounts/index.ts";
import { contractWalletLimit } from "../adapters/wallets/index.ts";
import type { JwtCaller } from "./authenticate.ts";
import { signInErrors } from "./errors.ts";
import type { makeIssueNonce } from "./issue-nonce.ts";
import type { makeRefresh } from "./refresh.ts";
import type { SignInStore } from "./store.ts";
import type { TokenKeys } from "./token-keys.ts";
import type { Tokens } from "./tokens.ts";
import { userAgentIn } from "./user-agent.ts";
import type { makeVerifySignIn } from "./verify-sign-in.ts";

/** For endpoints that only a signed-in owner may call. */
export const jwt = credential<JwtCaller>("jwt");

const TokenPair = z
  .object({ accessToken: z.string(), refreshToken: z.string() })
  .meta({ id: "TokenPair", description: "An access token (JWT) and the refresh token that renews it." });
const Session = z
  .object({
    id: z.string(),
    createdAt: z.iso.datetime(),
    lastUsedAt: z.iso.datetime(),
    userAgent: z
      .string()
      .nullable()
      .meta({ description: "The user agent at sign-in, as the browser reported it." }),
    address: z
      .string()
      .nullable()
      .meta({ description: "The IP address of the sign-in or the last refresh." }),
    current: z.boolean(),
  })
  .meta({ id: "Session", description: "A signed-in session of the account." });
const RefreshToken = z.object({ refreshToken: z.string().min(1).max(4096) });
const nothing = { status: 204 as const, body: undefined };

type Parts = {
  readonly issueNonce: ReturnType<typeof makeIssueNonce>;
  readonly verifySignIn: ReturnType<typeof makeVerifySignIn>;
  readonly refresh: ReturnType<typeof makeRefresh>;
  readonly tokens: Pick<Tokens, "readRefresh">;
  readonly store: SignInStore;
  readonly tokenKeys: () => Promise<TokenKeys>;
  /** Revokes the access of all OAuth clients. */
  readonly endGrants: (account: Account) => Promise<unknown>;
};

const signingIn = ({ issueNonce, verifySignIn, refresh }: Parts): readonly Route[] => [
  route({
    method: "POST",
    path: "/auth/siwe/nonce",
    summary: "Get a sign-in challenge",
    tag: "Sign-in",
    auth: open,
    body: z.object({ walletAddress: EthereumAddress }),
    replies: { 200: z.object({ nonce: z.string() }) },
    handle: async ({ body, ip }) => ok(await issueNonce(body.walletAddress, networkOf(ip))),
  }),
  route({
    method: "POST",
    path: "/auth/siwe/verify",
    summary: "Sign in with a signed ERC-4361 message",
    description: "Checking a contract wallet's signature queries its chain, and has a separate limit.",
    tag: "Sign-in",
    auth: open,
    limit: [...defaultLimits, contractWalletLimit],
    body: z.object({
      message: z.string().min(1).max(8192),
      signature: z.templateLiteral([
        "0x",
        z
          .string()
          .regex(/^(?:[0-9a-fA-F]{2})+$/)
          .max(16_384),
      ]),
    }),
    replies: { 200: TokenPair.extend({ user: UserIdentity }) },
    refuses: [signInErrors.malformedMessage, signInErrors.refused, signInErrors.walletUnavailable],
    handle: async ({ body, ip, headers }) => {
      const userAgent = userAgentIn(headers);
      return ok(await verifySignIn({ text: body.message, signature: body.signature, ip, userAgent }));
    },
  }),
  route({
    method: "POST",
    path: "/auth/refresh",
    summary: "Refresh my tokens",
    description: "Each refresh token works once. Presenting it again after a minute ends the whole session.",
    tag: "Sign-in",
    auth: open,
    body: RefreshToken,
    replies: { 200: TokenPair },
    refuses: [signInErrors.refreshRefused],
    handle: async ({ body, ip }) => ok(await refresh(body.refreshToken, ip)),
  }),
];

const signingOut = ({ tokens, store, endGrants }: Parts): readonly Route[] => [
  route({
    method: "POST",
    path: "/auth/logout",
    summary: "End the session of a refresh token",
    description: "An unknown token, or one of another user, changes nothing and gets the same answer.",
    tag: "Sign-in",
    auth: jwt,
    body: RefreshToken,
    replies: { 204: z.undefined() },
    handle: async ({ body, caller }) => {
      const claims = await tokens.readRefresh(body.refreshToken);
      if (claims !== undefined) await store.endByRefreshToken(claims.tokenId, caller.account);
      return nothing;
    },
  }),
  route({
    method: "POST",
    path: "/auth/logout-all",
    summary: "End all sessions, on all devices",
    description: "Also removes the access of every OAuth client. API keys stay active.",
    tag: "Sign-in",
    auth: jwt,
    replies: { 204: z.undefined() },
    handle: async ({ caller }) => {
      // The grants first: if that fails, the caller is still signed in and can retry.
      await endGrants(caller.account);
      await store.endAllSessions(caller.account);
      return nothing;
    },
  }),
];

const whoAmI = ({ store, tokenKeys }: Parts): readonly Route[] => [
  route({
    method: "GET",
    path: "/auth/validate",
    summary: "Check an access token",
    tag: "Sign-in",
    auth: jwt,
    replies: { 200: z.object({ valid: z.boolean(), user: UserIdentity }) },
    handle: ({ caller }) =>
      ok({ valid: true, user: identityOf({ id: caller.userId, account: caller.account }) }),
  }),
  route({
    method: "GET",
    path: "/auth/me",
    summary: "Get my user",
    tag: "Sign-in",
    auth: jwt,
    replies: { 200: UserIdentity },
    handle: ({ caller }) => ok(identityOf({ id: caller.userId, account: caller.account })),
  }),
  route({
    method: "GET",
    path: "/auth/sessions",
    summary: "Where I am signed in",
    tag: "Sign-in",
    auth: jwt,
    replies: { 200: z.array(Session) },
    handle: async ({ caller }) => {
      const sessions = await store.listSessions(caller.account);
      return ok(
        sessions.map(({ id, createdAt, lastUsedAt, userAgent, address }) => ({
          ...{ id, userAgent, address },
          createdAt: createdAt.toISOString(),
          lastUsedAt: lastUsedAt.toISOString(),
          current: id === caller.sessionId,
        })),
      );
    },
  }),
  route({
    method: "DELETE",
    path: "/auth/sessions/{id}",
    summary: "Sign one device out",
    tag: "Sign-in",
    auth: jwt,
    params: z.object({ id: z.uuid() }),
    replies: { 204: z.undefined() },
    refuses: [signInErrors.noSuchSession],
    handle: async ({ params, caller }) => {
      if (!(await store.endSession(params.id, caller.account))) throw signInErrors.noSuchSession();
      return nothing;
    },
  }),
  route({
    method: "GET",
    path: "/.well-known/jwks.json",
    summary: "Get the public keys that verify our tokens",
    tag: "Sign-in",
    auth: open,
    cors: "any",
    replies: { 200: z.object({ keys: z.array(z.record(z.string(), z.unknown())) }) },
    handle: async () =>
      ok(
        { keys: [...(await tokenKeys()).published] as Record<string, unknown>[] },
        { "cache-control": "public, max-age=300" },
      ),
  }),
];

export const signInRoutes = (parts: Parts): readonly Route[] => [
  ...signingIn(parts),
  ...signingOut(parts),
  ...whoAmI(parts),
];
