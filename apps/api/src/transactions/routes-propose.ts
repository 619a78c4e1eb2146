import { anyOf, perCaller, perIp, route, type Route } from "@countersign/platform/http";
import { contractWalletLimit } from "../adapters/wallets/index.ts";
import { apiKey } from "../api-keys/index.ts";
import { idempotencyRefusals, readIdempotencyKey } from "../platform/idempotency/index.ts";
import { jwt } from "../sign-in/index.ts";
import type { ProposeTransaction } from "./1-propose.ts";
import { transactionErrors } from "./errors.ts";
import { ProposalBody } from "./proposal-body.ts";
import { TransactionRecord } from "./transaction-record.ts";

type Parts = {
  readonly proposeTransaction: ProposeTransaction;
  /** Requests a minute. */
  readonly limits: { readonly perIp: number; readonly perUser: number; readonly perKey: number };
};

export const proposeRoutes = ({ proposeTransaction, limits }: Parts): readonly Route[] => [
  route({
    method: "POST",
    path: "/transactions",
    summary: "Propose a transaction",
    description:
      "With the words it was asked in, sealed by the service; or sealed by the sender as encryptedPayload. A key needs the scope " +
      "transactions:create:own. An Idempotency-Key makes it safe to send it again: the first answer is repeated, with the header " +
      "Idempotent-Replayed.",
    tag: "Transactions",
    // Scopes are judged after the body, with everything else that is a 403.
    auth: anyOf(apiKey(), jwt),
    limit: [
      perIp(limits.perIp),
      perCaller("jwt", limits.perUser),
      perCaller("apiKey", limits.perKey),
      contractWalletLimit,
    ],
    body: ProposalBody,
    replies: { 201: TransactionRecord },
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
      transactionErrors.escrowNotYours,
      transactionErrors.noSuchUser,
      transactionErrors.walletUnavailable,
      ...idempotencyRefusals,
    ],
    handle: ({ body, caller, ip, headers }) =>
      proposeTransaction({ body, caller, ip, idempotencyKey: readIdempotencyKey(headers) }),
  }),
];
