import { z } from "zod";
import { ok, open, route, type Route } from "@countersign/platform/http";
import { EthereumAddress, shown } from "../accounts/index.ts";
import { directoryErrors } from "./errors.ts";
import type { makeFindServiceByKey } from "./find-service-by-key.ts";
import type { Service } from "./service.ts";
import type { ServiceStore } from "./store/services.ts";

const VerificationService = z
  .object({
    id: z.number(),
    name: z.string(),
    inbox: z.string().meta({ description: "The Ethereum address that signs its verdicts." }),
    pgpPublicKey: z.string().nullable().meta({
      description:
        "The key that proposals are encrypted to. Null until it was read and its fingerprint verified.",
    }),
    fingerprint: z
      .string()
      .meta({ description: "The fingerprint of that key in the registry on the chain." }),
    active: z.boolean().meta({ description: "Whether it accepts proposals." }),
    url: z.string().nullable(),
    chainId: z.number().meta({ description: "Where it is registered." }),
    createdAt: z.iso.datetime().meta({ description: "When this installation first saw it." }),
  })
  .meta({ id: "VerificationService", description: "A registered verification service with its PGP key." });

const view = ({ keyUri: _, armoured, inbox, createdAt, ...service }: Service) => ({
  ...service,
  inbox: shown(inbox),
  pgpPublicKey: armoured,
  createdAt: createdAt.toISOString(),
});

function answer(service: Service | undefined) {
  if (service === undefined) throw directoryErrors.noSuchService();
  return ok(view(service));
}

type Parts = {
  readonly store: Pick<ServiceStore, "listServices" | "listActive" | "findService" | "findByInbox">;
  readonly findServiceByKey: ReturnType<typeof makeFindServiceByKey>;
};

const base = { method: "GET", tag: "Verification services", auth: open } as const;
const one = { replies: { 200: VerificationService }, refuses: [directoryErrors.noSuchService] } as const;

const lists = ({ store }: Parts): readonly Route[] => [
  route({
    ...base,
    path: "/verification-services",
    summary: "List verification services",
    replies: { 200: z.array(VerificationService) },
    handle: async () => ok((await store.listServices()).map(view)),
  }),
  route({
    ...base,
    path: "/verification-services/active",
    summary: "List active verification services",
    replies: { 200: z.array(VerificationService) },
    handle: async () => ok((await store.listActive()).map(view)),
  }),
];

const lookups = ({ store, findServiceByKey }: Parts): readonly Route[] => [
  route({
    ...base,
    ...one,
    path: "/verification-services/{id}",
    summary: "Get a verification service",
    params: z.object({ id: z.string().regex(/^\d+$/, "must be a number").transform(Number) }),
    handle: async ({ params: { id } }) =>
      answer(Number.isSafeInteger(id) ? await store.findService(id) : undefined),
  }),
  route({
    ...base,
    ...one,
    path: "/verification-services/inbox/{inbox}",
    summary: "Get the verification service with this address",
    params: z.object({ inbox: EthereumAddress }),
    handle: async ({ params: { inbox } }) => answer(await store.findByInbox(inbox)),
  }),
  route({
    ...base,
    ...one,
    path: "/verification-services/pgp-public-key/{key}",
    summary: "Get the verification service with this OpenPGP key",
    params: z.object({
      key: z.string().meta({
        description: "A fingerprint, a long key id, or the armoured key itself, URL-encoded, up to 8 kB",
      }),
    }),
    handle: async ({ params: { key } }) => answer(await findServiceByKey(key)),
  }),
];

export const serviceRoutes = (parts: Parts): readonly Route[] => [...lists(parts), ...lookups(parts)];
