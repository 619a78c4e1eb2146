import { z } from "zod";
import { anyOf, defaultLimits, ok, perCaller, route, type Route } from "@countersign/platform/http";
import { EthereumAddress, type AccountStore } from "../accounts/index.ts";
import { contractWalletLimit } from "../adapters/wallets/index.ts";
import { apiKey, isOwnerOrServer } from "../api-keys/index.ts";
import { jwt } from "../sign-in/index.ts";
import { signature } from "../signed-requests/index.ts";
import type { makeComplete } from "./complete.ts";
import { CosignerKey } from "./cosigner-key.ts";
import { custodyErrors } from "./errors.ts";
import { environments, integrationTypes, regions } from "./integration.ts";
import type { makeRequestCsr } from "./request-csr.ts";
import type { CustodyStore } from "./store.ts";
import { Subject } from "./subject.ts";
import type { makeValidate } from "./validate.ts";
import { ConfigurationView, IntegrationView, Type, viewConfiguration, viewIntegration } from "./views.ts";

const tag = "Custody";
const OfType = z.object({ type: Type });

const Credentials = z.object({
  // Sent as a header without escaping.
  apiKey: z
    .string()
    .trim()
    .max(1024)
    .regex(/^[!-~]+$/, "must be printable ASCII without spaces"),
  // Sent in a path without escaping.
  vaultAccountId: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, "must be the id of a vault account"),
  environment: z.enum(environments),
  region: z.enum(regions),
  cosignerPublicKey: CosignerKey.nullable().optional(),
});

type Parts = {
  readonly accounts: Pick<AccountStore, "find">;
  readonly store: CustodyStore;
  readonly requestCsr: ReturnType<typeof makeRequestCsr>;
  readonly complete: ReturnType<typeof makeComplete>;
  readonly validate: ReturnType<typeof makeValidate>;
};

const setUp = ({ requestCsr, complete, validate }: Parts): readonly Route[] => [
  route({
    method: "POST",
    path: "/custody/generate-csr/{type}",
    summary: "Create a key and a CSR for my custodian",
    description:
      "The private key never leaves the service. With `recreate`, the integration replaces the existing one, which sends nothing more.",
    tag,
    auth: jwt,
    // Each takes a core for a second.
    limit: [...defaultLimits, perCaller("jwt", 60)],
    params: OfType,
    body: Subject.extend({ recreate: z.boolean().optional() }),
    replies: { 201: IntegrationView },
    refuses: [custodyErrors.exists, custodyErrors.busy],
    handle: async ({ params: { type }, body: { recreate = false, ...subject }, caller: { account } }) => ({
      status: 201 as const,
      body: viewIntegration(type, await requestCsr({ account, type, subject, recreate })),
    }),
  }),
  route({
    method: "POST",
    path: "/custody/complete/{type}",
    summary: "Save the credentials my custodian issued",
    description:
      "May be repeated with another credential. Without `cosignerPublicKey` the co-signer's key is unchanged; null removes it.",
    tag,
    auth: jwt,
    params: OfType,
    body: Credentials,
    replies: { 200: IntegrationView },
    refuses: [custodyErrors.noIntegration],
    handle: async ({ params: { type }, body: { cosignerPublicKey, ...given }, caller }) =>
      ok(viewIntegration(type, await complete(caller.account, type, { ...given, cosignerPublicKey }))),
  }),
  route({
    method: "POST",
    path: "/custody/validate/{type}",
    summary: "Test my custody integration",
    description: "Sends a harmless request to the custodian. Also looks up the vault's wallet.",
    tag,
    auth: jwt,
    params: OfType,
    replies: { 200: z.object({ valid: z.boolean(), reason: z.string().nullable() }) },
    handle: async ({ params: { type }, caller }) => ok(await validate(caller.account, type)),
  }),
];

const reads = ({ store }: Parts): readonly Route[] => [
  route({
    method: "GET",
    path: "/custody/integration/{type}",
    summary: "Get my custody integration of a type",
    tag,
    auth: jwt,
    params: OfType,
    replies: { 200: IntegrationView },
    handle: async ({ params: { type }, caller: { account } }) =>
      ok(viewIntegration(type, await store.find({ account, type }))),
  }),
  route({
    method: "GET",
    path: "/custody/integrations",
    summary: "List my custody integrations",
    tag,
    auth: jwt,
    replies: { 200: z.array(IntegrationView) },
    handle: async ({ caller: { account } }) => {
      const found = await store.list(account);
      return ok(
        integrationTypes.map((type) =>
          viewIntegration(
            type,
            found.find((one) => one.type === type),
          ),
        ),
      );
    },
  }),
  route({
    method: "GET",
    path: "/custody/csr/{type}",
    summary: "Get my CSR of a type",
    tag,
    auth: jwt,
    params: OfType,
    replies: { 200: z.object({ type: Type, csr: z.string() }) },
    refuses: [custodyErrors.noIntegration],
    handle: async ({ params: { type }, caller: { account } }) => {
      const integration = await store.find({ account, type });
      if (integration === undefined) throw custodyErrors.noIntegration();
      return ok({ type, csr: integration.csr });
    },
  }),
];

/** For the owner, with any credential, and for the service itself. */
const configuration = ({ accounts, store }: Parts): Route =>
  route({
    method: "GET",
    path: "/custody/config/{type}/{ethereumAddress}",
    summary: "Get an account's custody configuration",
    description: "For its owner and for server keys. Never a secret.",
    tag,
    auth: anyOf(jwt, apiKey(), signature),
    limit: [...defaultLimits, contractWalletLimit],
    params: OfType.extend({ ethereumAddress: EthereumAddress }),
    replies: { 200: ConfigurationView },
    refuses: [custodyErrors.notYours, custodyErrors.noSuchUser, custodyErrors.noIntegration],
    handle: async ({ params: { type, ethereumAddress: account }, caller }) => {
      if (!isOwnerOrServer(caller, account)) throw custodyErrors.notYours();
      if ((await accounts.find(account)) === undefined) throw custodyErrors.noSuchUser();
      const integration = await store.find({ account, type });
      if (integration === undefined) throw custodyErrors.noIntegration();
      return ok(viewConfiguration(integration));
    },
  });

export const custodyRoutes = (parts: Parts): readonly Route[] => [
  ...setUp(parts),
  ...reads(parts),
  configuration(parts),
];
