import { z } from "zod";
import { defaultLimits, ok, route, type Route } from "@countersign/platform/http";
import { identityOf, UserIdentity, type Account } from "../accounts/index.ts";
import { contractWalletLimit } from "../adapters/wallets/index.ts";
import { ListedKey } from "../api-keys/index.ts";
import { jwt } from "../sign-in/index.ts";
import { pgpKeyErrors } from "./errors.ts";
import type { makeRegisterKey } from "./register-key.ts";
import type { PgpKeyStore } from "./store.ts";

const Profile = z
  .object({
    user: UserIdentity,
    pgp: z.object({
      registered: z.boolean(),
      publicKey: z.string().nullable(),
      fingerprint: z.string().nullable(),
      registeredAt: z.iso.datetime().nullable(),
    }),
    apiKeys: z.array(ListedKey),
  })
  .meta({ id: "Profile", description: "A user with their PGP key and API keys." });

type Parts = {
  readonly registerKey: ReturnType<typeof makeRegisterKey>;
  readonly store: PgpKeyStore;
  readonly listApiKeys: (account: Account) => Promise<z.infer<typeof ListedKey>[]>;
};

export const pgpKeyRoutes = ({ registerKey, store, listApiKeys }: Parts): readonly Route[] => [
  route({
    method: "POST",
    path: "/user-api-keys/register",
    summary: "Register my OpenPGP key",
    description:
      "The signature is the wallet's EIP-191 signature over exactly the text of pgpPublicKey. A new key replaces the previous one. The service then records account and fingerprint on the chain: transactionHash is null until the chain has it, and stays null if the account recorded a key there itself.",
    tag: "API keys",
    auth: jwt,
    limit: [...defaultLimits, contractWalletLimit],
    body: z.object({
      signature: z.templateLiteral([
        "0x",
        z
          .string()
          .regex(/^(?:[0-9a-fA-F]{2})+$/)
          .max(16_384),
      ]),
      pgpPublicKey: z
        .string()
        .min(1)
        .refine((key) => Buffer.byteLength(key) <= 32 * 1024, "must be at most 32 kB"),
    }),
    replies: {
      201: z.object({
        registered: z.literal(true),
        fingerprint: z.string(),
        transactionHash: z.string().nullable(),
      }),
    },
    refuses: [
      pgpKeyErrors.malformed,
      pgpKeyErrors.private,
      pgpKeyErrors.unusable,
      pgpKeyErrors.badSignature,
      pgpKeyErrors.walletUnavailable,
    ],
    handle: async ({ body, caller, ip }) => {
      const { fingerprint, transactionHash } = await registerKey({ account: caller.account, ip, ...body });
      return { status: 201 as const, body: { registered: true as const, fingerprint, transactionHash } };
    },
  }),
  route({
    method: "GET",
    path: "/user-api-keys/profile",
    summary: "Get my user, OpenPGP key and API keys",
    tag: "API keys",
    auth: jwt,
    replies: { 200: Profile },
    handle: async ({ caller: { userId, account } }) => {
      const [key, apiKeys] = await Promise.all([store.findCurrent(account), listApiKeys(account)]);
      return ok({
        user: identityOf({ id: userId, account }),
        pgp: {
          registered: key !== undefined,
          publicKey: key?.armoured ?? null,
          fingerprint: key?.fingerprint ?? null,
          registeredAt: key?.registeredAt.toISOString() ?? null,
        },
        apiKeys,
      });
    },
  }),
];
