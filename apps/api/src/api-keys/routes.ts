import { z } from "zod";
import { credential, credentialOf, ok, route, type AuthRule, type Route } from "@countersign/platform/http";
import { shown, type Account } from "../accounts/index.ts";
import { jwt } from "../sign-in/index.ts";
import type { ApiKey } from "./api-key.ts";
import type { KeyCaller } from "./authenticate.ts";
import { apiKeyErrors } from "./errors.ts";
import type { makeIssueKey } from "./issue-key.ts";
import type { ApiKeyStore } from "./store.ts";

/** For endpoints that a program with any valid key may call. */
export const apiKey = (scope?: string): AuthRule<KeyCaller> => credential<KeyCaller>("apiKey", scope);

/** For endpoints that only the operator's programs may call. Any other key is treated as no key. */
export const adminKey: AuthRule<KeyCaller> = credentialOf<KeyCaller>(
  "apiKey",
  ({ type }) => type === "admin",
);

const CreatedKey = z
  .object({
    id: z.string(),
    name: z.string(),
    type: z.string(),
    scopes: z.array(z.string()),
    active: z.boolean(),
    expiresAt: z.iso.datetime().nullable(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: "ApiKey", description: "An API key without its secret." });

/** A key without its secret. */
export const ListedKey = CreatedKey.extend({
  label: z.string(),
  prefix: z.string(),
  lastUsedAt: z.iso.datetime().nullable(),
  lastUsedAddress: z
    .string()
    .nullable()
    .meta({ description: "The IP address of the request at `lastUsedAt`." }),
}).meta({ id: "ListedApiKey", description: "An API key with its label, prefix and last use." });

const shownKey = ({
  expiresAt,
  createdAt,
  lastUsedAt,
  scopes,
  ...key
}: ApiKey): z.infer<typeof ListedKey> => ({
  ...key,
  scopes: [...scopes],
  expiresAt: expiresAt?.toISOString() ?? null,
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
});

/** Returns the account's keys, newest first. */
export const makeListKeys =
  (store: Pick<ApiKeyStore, "list">) =>
  async (account: Account): Promise<z.infer<typeof ListedKey>[]> =>
    (await store.list(account)).map(shownKey);

type Parts = { readonly issueKey: ReturnType<typeof makeIssueKey>; readonly store: ApiKeyStore };

export const apiKeyRoutes = ({ issueKey, store }: Parts): readonly Route[] => [
  route({
    method: "POST",
    path: "/user-api-keys",
    summary: "Create an API key",
    description: "Only this answer contains the secret.",
    tag: "API keys",
    auth: jwt,
    body: z.object({
      name: z.string().trim().min(1).max(100),
      expiresAt: z.iso.datetime({ offset: true }).optional(),
    }),
    replies: { 201: z.object({ apiKey: CreatedKey, secret: z.string() }) },
    refuses: [apiKeyErrors.expiryPast, apiKeyErrors.tooMany],
    handle: async ({ body, caller }) => {
      const expiresAt = body.expiresAt === undefined ? null : new Date(body.expiresAt);
      const made = await issueKey({
        account: caller.account,
        type: "user",
        label: "user",
        name: body.name,
        expiresAt,
      });
      return { status: 201 as const, body: { apiKey: shownKey(made.apiKey), secret: made.secret } };
    },
  }),
  route({
    method: "GET",
    path: "/user-api-keys",
    summary: "List my API keys",
    tag: "API keys",
    auth: jwt,
    replies: { 200: z.array(ListedKey) },
    handle: async ({ caller }) => ok(await makeListKeys(store)(caller.account)),
  }),
  route({
    method: "GET",
    path: "/user-api-keys/self",
    summary: "Describe this API key",
    tag: "API keys",
    auth: apiKey(),
    replies: {
      200: z.object({
        id: z.string(),
        type: z.string(),
        label: z.string(),
        scopes: z.array(z.string()),
        ethereumAddress: z.string().nullable(),
      }),
    },
    handle: ({ caller: { keyId, type, label, scopes, account } }) =>
      ok({
        id: keyId,
        type,
        label,
        scopes: [...scopes],
        ethereumAddress: account === null ? null : shown(account),
      }),
  }),
  route({
    method: "DELETE",
    path: "/user-api-keys/{apiKeyId}",
    summary: "Revoke a key",
    tag: "API keys",
    auth: jwt,
    params: z.object({ apiKeyId: z.uuid() }),
    replies: { 200: z.object({ id: z.string(), active: z.literal(false) }) },
    refuses: [apiKeyErrors.notFound],
    handle: async ({ params, caller }) => {
      if (!(await store.revoke(params.apiKeyId, caller.account))) throw apiKeyErrors.notFound();
      return ok({ id: params.apiKeyId, active: false as const });
    },
  }),
];
