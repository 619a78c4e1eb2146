import { z } from "zod";
import { anyOf, defaultLimits, ok, route, type Route } from "@countersign/platform/http";
import { EthereumAddress, shown, type Account, type AccountStore } from "../accounts/index.ts";
import { contractWalletLimit } from "../adapters/wallets/index.ts";
import { apiKey, isOwnerOrServer } from "../api-keys/index.ts";
import { jwt } from "../sign-in/index.ts";
import { signature } from "../signed-requests/index.ts";
import { settingsErrors } from "./errors.ts";
import type { makeChangeSettings, makeReadSettings, makeSetPublicProfile } from "./settings.ts";
import type { AccountSettings } from "./store.ts";

const ExecutionTypeChoice = z.union([z.literal(0), z.literal(1), z.literal(2)]).meta({
  description: "0 DIRECT_USER, 1 USER_EXECUTED, 2 AGENT_EXECUTED",
});

const longestWindowSeconds = 30 * 24 * 60 * 60;

const RepeatWindow = z.int().min(0).max(longestWindowSeconds).meta({
  description:
    "Execution type 2: if an agent proposes the same request with the same effects again within so many seconds, the owner is asked. 0: never for that reason. Default: 86400, 24 hours.",
});

const PublicProfile = z.boolean().meta({
  description:
    "Whether anyone can read the account's results at `/public/agents`. If false, those answer as for an unknown account. Default: true.",
});

const Settings = z
  .object({
    id: z.string(),
    userId: z.string(),
    executionType: ExecutionTypeChoice,
    repeatWindowSeconds: RepeatWindow,
    publicProfile: PublicProfile,
    walletProvider: z.string(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: "Settings", description: "An account's settings: who approves and who sends." });

const shownSettings = (
  { id, userId, executionType, repeatWindowSeconds, publicProfile, createdAt, updatedAt }: AccountSettings,
  walletProvider: string,
): z.infer<typeof Settings> => ({
  id,
  userId,
  executionType,
  repeatWindowSeconds,
  publicProfile,
  walletProvider,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
});

type Parts = {
  readonly accounts: Pick<AccountStore, "find">;
  readonly readSettings: ReturnType<typeof makeReadSettings>;
  readonly changeSettings: ReturnType<typeof makeChangeSettings>;
  readonly setPublicProfile: ReturnType<typeof makeSetPublicProfile>;
  /** The wallet provider's name, which comes with the first quorum. Empty until then. */
  readonly findWalletProvider: (account: Account) => Promise<string>;
};

/** For the owner, with any credential, and for the service itself. */
export const settingsRoutes = ({
  accounts,
  readSettings,
  changeSettings,
  setPublicProfile,
  findWalletProvider,
}: Parts): readonly Route[] => [
  route({
    method: "GET",
    path: "/settings",
    summary: "Get my settings",
    tag: "Settings",
    auth: jwt,
    replies: { 200: Settings },
    handle: async ({ caller: { account } }) =>
      ok(shownSettings(await readSettings(account), await findWalletProvider(account))),
  }),
  route({
    method: "PUT",
    path: "/settings",
    summary: "Set who executes my transactions",
    description:
      "With a session, or with the wallet's signature over this very change (a signed request). `executionType` in the query must " +
      "equal the body's: the signer of a request sees it there.",
    tag: "Settings",
    auth: anyOf(jwt, signature),
    limit: [...defaultLimits, contractWalletLimit],
    query: z.object({ executionType: z.enum(["0", "1", "2"]).optional() }),
    body: z.object({
      executionType: ExecutionTypeChoice,
      repeatWindowSeconds: RepeatWindow.optional(),
    }),
    replies: { 200: Settings },
    refuses: [settingsErrors.otherType],
    handle: async ({ query, body, caller: { account } }) => {
      if (query.executionType !== undefined && query.executionType !== String(body.executionType))
        throw settingsErrors.otherType();
      const settings = await changeSettings(account, body);
      return ok(shownSettings(settings, await findWalletProvider(account)));
    },
  }),
  route({
    method: "PATCH",
    path: "/settings",
    summary: "Show or hide my public profile",
    description: "Changes neither who approves nor who executes.",
    tag: "Settings",
    auth: anyOf(jwt, signature),
    limit: [...defaultLimits, contractWalletLimit],
    body: z.object({ publicProfile: PublicProfile }),
    replies: { 200: Settings },
    handle: async ({ body: { publicProfile }, caller: { account } }) => {
      const settings = await setPublicProfile(account, publicProfile);
      return ok(shownSettings(settings, await findWalletProvider(account)));
    },
  }),
  route({
    method: "GET",
    path: "/settings/by-ethereum/{ethereumAddress}",
    summary: "Get an account's settings",
    description: "For its owner and for server keys.",
    tag: "Settings",
    auth: anyOf(jwt, apiKey(), signature),
    limit: [...defaultLimits, contractWalletLimit],
    params: z.object({ ethereumAddress: EthereumAddress }),
    replies: { 200: Settings.extend({ ethereumAddress: z.string() }) },
    refuses: [settingsErrors.notYours, settingsErrors.noSuchUser],
    handle: async ({ params: { ethereumAddress: account }, caller }) => {
      if (!isOwnerOrServer(caller, account)) throw settingsErrors.notYours();
      if ((await accounts.find(account)) === undefined) throw settingsErrors.noSuchUser();
      const settings = shownSettings(await readSettings(account), await findWalletProvider(account));
      return ok({ ...settings, ethereumAddress: shown(account) });
    },
  }),
];
