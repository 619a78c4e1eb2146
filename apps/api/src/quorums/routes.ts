import { z } from "zod";
import { newId } from "@countersign/platform/ids";
import { anyOf, defaultLimits, ok, route, type Route } from "@countersign/platform/http";
import {
  EthereumAddress,
  shown,
  type Account,
  type AccountStore,
  type Wallet,
  type WalletStore,
} from "../accounts/index.ts";
import { contractWalletLimit } from "../adapters/wallets/index.ts";
import { apiKey, isServerKeyType, type KeyCaller } from "../api-keys/index.ts";
import { jwt, type JwtCaller } from "../sign-in/index.ts";
import type { makeDeleteQuorum, makePutQuorum, makeRegisterQuorum } from "./change-quorum.ts";
import { quorumErrors } from "./errors.ts";
import { longestPem, pemOf, readP256Key } from "./public-key.ts";
import { quorumTypes, type Quorum } from "./quorum.ts";
import type { makeRegisterWallet } from "./register-wallet.ts";
import type { QuorumStore } from "./store.ts";
import type { makeUseAgentQuorum } from "./use-agent-quorum.ts";

const notAKey = "must be one P-256 public key, as PEM (SPKI)";
const mostKeys = 10;

const Type = z.enum(quorumTypes);
// The provider's limit for a name.
const DisplayName = z.string().trim().min(1).max(50);

const PublicKey = z
  .string()
  .max(longestPem)
  .transform((pem, context) => {
    const key = readP256Key(pem);
    if (key === undefined) context.addIssue({ code: "custom", message: notAKey });
    return key ?? z.NEVER;
  })
  .meta({ description: "A P-256 public key, as PEM (SPKI)" });

const Own = z.object({ displayName: DisplayName, p256PublicKey: PublicKey });

/** With `navaAgent` the other members are ignored: clients send what they have. */
const Registration = z
  .object({
    type: Type,
    navaAgent: z
      .boolean()
      .default(false)
      .meta({ description: "True: use the quorum of this service's own key, with which it can send" }),
    displayName: z
      .string()
      .optional()
      .meta({ description: "1 to 50 characters. Required unless navaAgent is true" }),
    p256PublicKey: z
      .string()
      .optional()
      .meta({ description: "A P-256 public key, as PEM (SPKI). Required unless navaAgent is true" }),
    message: z.string().max(1000).optional().meta({ description: "Stored as a note" }),
  })
  .transform(({ type, navaAgent, message: note = null, displayName, p256PublicKey }, context) => {
    if (navaAgent) return { type, note };
    const own = Own.safeParse({ displayName, p256PublicKey });
    for (const { path, message } of own.error?.issues ?? [])
      context.addIssue({ code: "custom", path: [...path], message });
    if (!own.success) return z.NEVER;
    const wish = { displayName: own.data.displayName, publicKeys: [own.data.p256PublicKey], threshold: 1 };
    return { type, note, wish };
  });

const Change = z
  .object({
    displayName: DisplayName,
    p256PublicKeys: z.array(PublicKey).min(1).max(mostKeys),
    threshold: z.int().min(1).max(mostKeys),
  })
  .refine(({ p256PublicKeys, threshold }) => threshold <= p256PublicKeys.length, {
    path: ["threshold"],
    message: "must not exceed the number of keys",
  })
  .refine(({ p256PublicKeys: keys }) => new Set(keys.map(pemOf)).size === keys.length, {
    path: ["p256PublicKeys"],
    message: "must be different keys",
  });

const ShownQuorum = z
  .object({
    type: Type,
    displayName: z.string(),
    quorumId: z.string(),
    threshold: z.int(),
    p256PublicKeys: z.array(z.string()),
    static: z.boolean(),
  })
  .meta({
    id: "ProviderQuorum",
    description: "The signing keys of a wallet provider, and how many must sign.",
  });

const shownQuorum = (quorum: Quorum): z.infer<typeof ShownQuorum> => ({
  type: quorum.type,
  displayName: quorum.displayName,
  quorumId: quorum.quorumId,
  threshold: quorum.threshold,
  p256PublicKeys: [...quorum.p256PublicKeys],
  static: quorum.isStatic,
});

const ShownWallet = z
  .object({
    id: z.string(),
    displayName: z.string(),
    ethereumAddress: z.string(),
    providerUserId: z.string(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: "ProviderWallet", description: "A wallet at a wallet provider, registered to an account." });

const shownWallet = ({ id, displayName, address, providerUserId, createdAt }: Wallet) => ({
  id,
  displayName,
  ethereumAddress: shown(address),
  providerUserId: providerUserId ?? "",
  createdAt: createdAt.toISOString(),
});

type Parts = {
  readonly store: Pick<QuorumStore, "find">;
  readonly accounts: Pick<AccountStore, "find" | "ensure">;
  readonly findWallet: WalletStore["find"];
  readonly useAgentQuorum: ReturnType<typeof makeUseAgentQuorum>;
  readonly registerQuorum: ReturnType<typeof makeRegisterQuorum>;
  readonly putQuorum: ReturnType<typeof makePutQuorum>;
  readonly deleteQuorum: ReturnType<typeof makeDeleteQuorum>;
  readonly registerWallet: ReturnType<typeof makeRegisterWallet>;
};

const atProvider = [quorumErrors.refused, quorumErrors.unavailable];

const register = (
  { useAgentQuorum, registerQuorum }: Parts,
  account: Account,
  { type, note, wish }: z.infer<typeof Registration>,
): Promise<Quorum> =>
  wish === undefined
    ? useAgentQuorum({ account, type, note })
    : registerQuorum({ account, type }, wish, note);

const ofQuorums = (parts: Parts): readonly Route[] => [
  route({
    method: "POST",
    path: "/settings/register-provider-quorum",
    summary: "Set the key that controls my wallets at the wallet provider",
    description:
      "Either your own key or, with `navaAgent`, the quorum of this service's own key. Replaces the existing quorum of that " +
      "type.",
    tag: "Wallet quorum",
    auth: jwt,
    body: Registration,
    replies: { 201: ShownQuorum },
    refuses: atProvider,
    handle: async ({ body, caller }) => ({
      status: 201 as const,
      body: shownQuorum(await register(parts, caller.account, body)),
    }),
  }),
  route({
    method: "PUT",
    path: "/settings/provider-quorum/{type}",
    summary: "Create or change my quorum of a type",
    description:
      "Only its members can change a quorum at the provider. Where this service is not a member, a new quorum replaces it and " +
      "`quorumId` changes.",
    tag: "Wallet quorum",
    auth: jwt,
    params: z.object({ type: Type }),
    body: Change,
    replies: { 200: ShownQuorum },
    refuses: atProvider,
    handle: async ({ params: { type }, body, caller: { account } }) => {
      const { displayName, p256PublicKeys: publicKeys, threshold } = body;
      return ok(
        shownQuorum(await parts.putQuorum({ account, type }, { displayName, publicKeys, threshold })),
      );
    },
  }),
  route({
    method: "GET",
    path: "/settings/provider-quorum/{type}",
    summary: "Get my quorum of a type",
    tag: "Wallet quorum",
    auth: jwt,
    params: z.object({ type: Type }),
    replies: { 200: ShownQuorum },
    refuses: [quorumErrors.noSuchQuorum],
    handle: async ({ params, caller }) => {
      const quorum = await parts.store.find(caller.account, params.type);
      if (quorum === undefined) throw quorumErrors.noSuchQuorum();
      return ok(shownQuorum(quorum));
    },
  }),
  route({
    method: "DELETE",
    path: "/settings/provider-quorum/{type}",
    summary: "Delete my quorum of a type",
    description:
      "Also at the provider, if this service is a member. The static quorum, which all accounts share, stays there.",
    tag: "Wallet quorum",
    auth: jwt,
    params: z.object({ type: Type }),
    replies: { 200: z.object({ deleted: z.literal(true) }) },
    refuses: [...atProvider, quorumErrors.noSuchQuorum],
    handle: async ({ params: { type }, caller: { account } }) => {
      await parts.deleteQuorum({ account, type });
      return ok({ deleted: true as const });
    },
  }),
];

const WalletBody = z.object({
  displayName: z.string().trim().min(1).max(100),
  ethereumAddress: EthereumAddress,
  providerUserId: z
    .string()
    // It becomes a path segment at the provider, where a segment of dots alone would point elsewhere.
    .regex(/^(?!\.{1,2}$)[A-Za-z0-9.@:_-]{1,200}$/, "must be 1 to 200 letters, digits, or any of .@:_-")
    .meta({ description: "The wallet's id at the wallet provider" }),
  walletSignature: z.string().max(20_000).optional().meta({
    description:
      "The wallet's EIP-191 signature over the account's address. Not needed for the account's own address",
  }),
  account: EthereumAddress.optional().meta({
    description:
      "For server keys: the account that the wallet belongs to. Without it, the account that has the wallet already, or the wallet's own.",
  }),
});

type WalletCaller = JwtCaller | KeyCaller;
type WalletBody = z.output<typeof WalletBody>;

/** Returns the account that the wallet is registered to; rejects callers who may not register it there. */
const makeFindAccount = ({ accounts, findWallet }: Pick<Parts, "accounts" | "findWallet">) => {
  const exists = async (account: Account): Promise<Account> => {
    if ((await accounts.find(account)) === undefined) throw quorumErrors.noSuchAccount();
    return account;
  };
  return async (caller: WalletCaller, { ethereumAddress, account: named }: WalletBody): Promise<Account> => {
    if (caller.scheme !== "apiKey") {
      if (named !== undefined && named !== caller.account) throw quorumErrors.notYourWallet();
      return exists(caller.account);
    }
    if (!isServerKeyType(caller.type)) throw quorumErrors.onlyForServers();
    if (named !== undefined) return exists(named);
    const registered = await findWallet(ethereumAddress);
    // A server key may create users, so that the documented members alone are enough.
    return registered?.account ?? (await accounts.ensure(ethereumAddress, newId())).account;
  };
};

const ofWallets = ({ accounts, findWallet, registerWallet }: Parts): readonly Route[] => {
  const findAccount = makeFindAccount({ accounts, findWallet });
  return [
    route({
      method: "POST",
      path: "/provider-quorum",
      summary: "Register a wallet at the wallet provider to an account",
      description:
        "The owner proves that the wallet is theirs. A server key needs no proof, and creates the wallet's own account if necessary. Repeating " +
        "the request returns the same record.",
      tag: "Wallet quorum",
      auth: anyOf(jwt, apiKey()),
      limit: [...defaultLimits, contractWalletLimit],
      body: WalletBody,
      replies: { 201: ShownWallet },
      refuses: [
        quorumErrors.onlyForServers,
        quorumErrors.notYourWallet,
        quorumErrors.noSuchAccount,
        quorumErrors.walletUnavailable,
      ],
      handle: async ({ body, caller, ip }) => {
        const { ethereumAddress: address, walletSignature: signature, displayName, providerUserId } = body;
        const account = await findAccount(caller, body);
        const wallet = { account, address, displayName, providerUserId };
        const proof = caller.scheme === "apiKey" ? "vouched for" : { signature, ip };
        return { status: 201 as const, body: shownWallet(await registerWallet(wallet, proof)) };
      },
    }),
  ];
};

export const quorumRoutes = (parts: Parts): readonly Route[] => [...ofQuorums(parts), ...ofWallets(parts)];
