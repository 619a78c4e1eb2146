import { anyOf, perCaller, perIp, route, type Limiter, type Route } from "@countersign/platform/http";
import { contractWalletLimit } from "../../adapters/wallets/index.ts";
import type { Account } from "../../accounts/index.ts";
import { apiKey } from "../../api-keys/index.ts";
import { idempotencyRefusals, readIdempotencyKey } from "../../platform/idempotency/index.ts";
import { jwt } from "../../sign-in/index.ts";
import type { ProposeTransaction } from "./propose.ts";
import { transactionErrors } from "../errors.ts";
import { DocumentedProposal } from "../documented-proposal.ts";
import { ProposalBody } from "../proposal-body.ts";
import { ProposedTransaction } from "../record/transaction-record.ts";

/** Requests per minute. */
type Limits = { readonly perIp: number; readonly perUser: number; readonly perKey: number };

type Parts = { readonly proposeTransaction: ProposeTransaction; readonly limits: Limits };

const method = "POST";
const path = "/transactions";

const limitsOf = (limits: Limits) =>
  ({
    ip: perIp(limits.perIp),
    user: perCaller("jwt", limits.perUser),
    key: perCaller("apiKey", limits.perKey),
  }) as const;

type Program = { readonly scheme: "oauth" | "apiKey"; readonly subject: string };

/**
 * Counts a proposal that came through another entry point in the same counters, so that the limits cannot be
 * bypassed. Proposals with OAuth access tokens count as the owner's own.
 */
export function makeCountProposal({
  limiter,
  limits,
}: {
  readonly limiter: Limiter;
  readonly limits: Limits;
}) {
  const { ip: byIp, user, key } = limitsOf(limits);
  const route = `${method} ${path}`;
  return async (
    { caller, account }: { readonly caller: Program; readonly account: Account },
    ip: string,
  ): Promise<void> => {
    await limiter.count({ limit: byIp, route, key: ip });
    await (caller.scheme === "apiKey"
      ? limiter.count({ limit: key, route, key: caller.subject })
      : limiter.count({ limit: user, route, key: account }));
  };
}

export const proposeRoutes = ({ proposeTransaction, limits }: Parts): readonly Route[] => [
  route({
    ...{ method, path },
    summary: "Propose a transaction",
    description:
      "With the request it was made for, encrypted by the service, or encrypted by the sender as encryptedPayload. In place of tx it takes " +
      "typedData, EIP-712 data to be signed, calls, a batch for a wallet, safeTransaction, a Safe's transaction to be confirmed, message, a text to be signed, " +
      "authorizationList, an EIP-7702 authorization to be signed, or userOperation, an ERC-4337 user operation to be signed. A key needs the scope " +
      "transactions:create:own. An Idempotency-Key makes it safe to retry: the first answer is repeated, with the header " +
      "Idempotent-Replayed.",
    tag: "Transactions",
    // Scopes are checked after the body, together with everything else that is a 403.
    auth: anyOf(apiKey(), jwt),
    limit: [...Object.values(limitsOf(limits)), contractWalletLimit],
    body: ProposalBody,
    documentedBody: DocumentedProposal,
    replies: { 201: ProposedTransaction },
    refuses: [
      transactionErrors.flowNotAllowed,
      transactionErrors.deadlineOutOfRange,
      transactionErrors.serviceUnknown,
      transactionErrors.tooLarge,
      transactionErrors.intentInvalid,
      transactionErrors.intentExpired,
      transactionErrors.intentUsed,
      transactionErrors.payloadMalformed,
      transactionErrors.payloadForUnknown,
      transactionErrors.payloadForOthers,
      transactionErrors.serviceKeyUnknown,
      transactionErrors.ownerHasNoKey,
      transactionErrors.payloadSignatureInvalid,
      transactionErrors.supersedesUnknown,
      transactionErrors.supersedesNotPending,
      transactionErrors.mayNotPropose,
      transactionErrors.keyRequired,
      transactionErrors.unencryptedNotAllowed,
      transactionErrors.agentPaused,
      transactionErrors.escrowNotYours,
      transactionErrors.noSuchUser,
      transactionErrors.walletUnavailable,
      ...idempotencyRefusals,
    ],
    handle: ({ body, caller, ip, headers }) =>
      proposeTransaction({ body, caller, ip, idempotencyKey: readIdempotencyKey(headers) }),
  }),
];
