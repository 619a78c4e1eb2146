import { z } from "zod";
import { anyOf, defaultLimits, ok, route, type Route } from "@countersign/platform/http";
import { contractWalletLimit } from "../adapters/wallets/index.ts";
import { apiKey } from "../api-keys/index.ts";
import {
  idempotencyRefusals,
  principalOf,
  readIdempotencyKey,
  type Idempotency,
} from "../platform/idempotency/index.ts";
import { signature } from "../signed-requests/index.ts";
import { EthereumAddress, identityOf, UserIdentity, type User } from "../accounts/index.ts";
import type { makeCreateUser } from "./create-user.ts";
import { userErrors } from "./errors.ts";
import type { makeReadUser } from "./read-user.ts";

const ShownUser = UserIdentity.extend({ createdAt: z.iso.datetime() }).meta({
  id: "User",
  description: "A user as stored.",
});

const UserDetails = ShownUser.extend({
  pgp: z
    .object({ registered: z.boolean(), fingerprint: z.string().nullable() })
    .optional()
    .meta({ description: "Only for the owner and for server keys." }),
}).meta({ id: "UserDetails", description: "A user and, for the owner, whether a PGP key is registered." });

const shownUser = (user: User): z.infer<typeof ShownUser> => ({
  ...identityOf(user),
  createdAt: user.createdAt.toISOString(),
});

type Parts = {
  readonly createUser: ReturnType<typeof makeCreateUser>;
  readonly readUser: ReturnType<typeof makeReadUser>;
  readonly idempotency: Pick<Idempotency, "idempotently">;
};

export const userRoutes = ({ createUser, readUser, idempotency }: Parts): readonly Route[] => [
  route({
    method: "POST",
    path: "/users",
    summary: "Create a user",
    description:
      "With a server key for any address; with a signature for the address that signed. Takes an Idempotency-Key.",
    tag: "Users",
    auth: anyOf(apiKey(), signature),
    limit: [...defaultLimits, contractWalletLimit],
    body: z.object({
      ethereumAddress: EthereumAddress,
      pgpPublicKey: z.string().optional().meta({
        description:
          "Rejected: register a key with the owner's signature over it, at POST /user-api-keys/register.",
      }),
    }),
    replies: { 201: ShownUser },
    refuses: [userErrors.pgpNotTaken, userErrors.notYours, userErrors.exists, ...idempotencyRefusals],
    handle: ({ body, caller, headers }) =>
      idempotency.idempotently(
        {
          principal: principalOf(caller),
          key: readIdempotencyKey(headers),
          operation: "POST /users",
          body,
        },
        async (tx) => {
          const { ethereumAddress: account, pgpPublicKey } = body;
          const user = await createUser({ account, pgpPublicKey }, caller, tx);
          return { status: 201 as const, body: shownUser(user) };
        },
      ),
  }),
  route({
    method: "GET",
    path: "/users/{ethereumAddress}",
    summary: "Find the user of an address",
    tag: "Users",
    auth: anyOf(apiKey(), signature),
    limit: [...defaultLimits, contractWalletLimit],
    params: z.object({ ethereumAddress: EthereumAddress }),
    replies: { 200: UserDetails },
    refuses: [userErrors.notFound],
    handle: async ({ params, caller }) => {
      const { pgp, ...user } = await readUser(params.ethereumAddress, caller);
      return ok({ ...shownUser(user), pgp });
    },
  }),
];
