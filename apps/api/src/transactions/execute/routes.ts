import { z } from "zod";
import { route, type Route } from "@countersign/platform/http";
import { EthereumAddress } from "../../accounts/index.ts";
import { adminKey } from "../../api-keys/index.ts";
import { idempotencyRefusals, readIdempotencyKey } from "../../platform/idempotency/index.ts";
import { transactionErrors } from "../errors.ts";
import type { makeExecuteForOwner } from "./execute-for-owner.ts";
import { Calldata, Wei, Word } from "../proposal-body.ts";
import { TransactionRecord } from "../record/transaction-record.ts";

type Parts = { readonly executeForOwner: ReturnType<typeof makeExecuteForOwner> };

const Type = z.enum(["execution", "agent"]);

const Body = z.object({
  escrowAddress: EthereumAddress,
  to: EthereumAddress,
  value: Wei.meta({ description: "Wei, in decimal digits" }),
  data: Calldata.prefault("0x"),
  requestHash: Word.meta({ description: "Of the transaction. The custodian identifies it by this hash." }),
  type: Type.default("execution"),
});

export const executeRoutes = ({ executeForOwner }: Parts): readonly Route[] => [
  route({
    method: "POST",
    path: "/custody/admin/transactions",
    summary: "Send an approved transaction through custody",
    description:
      "For ADMIN keys. `requestHash` must name an approved transaction of that escrow with exactly these bytes; it is sent once, however often it is asked for.",
    tag: "Custody",
    auth: adminKey,
    body: Body,
    // Clients should send it. The default is execution.
    documentedBody: Body.extend({ type: Type.meta({ default: "execution" }) }),
    replies: {
      201: z
        .object({
          requestHash: z.string(),
          status: TransactionRecord.shape.status,
          externalTxId: z.string().meta({ description: "The custodian identifies it by this hash." }),
        })
        .meta({ id: "CustodyTransaction", description: "A transaction that was handed to the custodian." }),
    },
    refuses: [
      transactionErrors.notApproved,
      transactionErrors.notEqual,
      transactionErrors.chainNotWatched,
      transactionErrors.notLookedAt,
      transactionErrors.walletBusy,
      transactionErrors.noSuchEscrow,
      transactionErrors.noIntegration,
      ...idempotencyRefusals,
    ],
    handle: ({ body, caller, headers }) =>
      executeForOwner(body, { caller, idempotencyKey: readIdempotencyKey(headers) }),
  }),
];
