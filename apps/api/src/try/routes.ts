import { z } from "zod";
import { ok, open, perIp, route, type Route } from "@countersign/platform/http";
import { EthereumAddress } from "../accounts/index.ts";
import { Description, Report } from "../adapters/validator/index.ts";
import { Calldata, Wei } from "../transactions/index.ts";
import { tryErrors } from "./errors.ts";
import type { DescribeTransaction, TryTransaction } from "./try-transaction.ts";

const transaction = {
  tx: z.strictObject({
    to: EthereumAddress,
    value: Wei.default("0").meta({ description: "Wei, in decimal digits." }),
    data: Calldata.default("0x").meta({ description: "At most 64 kB." }),
  }),
  chainId: z
    .int()
    .positive()
    .optional()
    .meta({ description: "If absent, the validator assumes a chain and reports that." }),
  from: EthereumAddress.optional().meta({ description: "The account that would sign it." }),
};

const Trial = z.strictObject({
  intent: z.string().min(1).max(20_000).meta({ description: "The request in natural language." }),
  ...transaction,
});

const ToDescribe = z.strictObject({
  ...transaction,
  knownAddresses: z
    .array(z.strictObject({ address: EthereumAddress, label: z.string().min(1).max(100) }))
    .max(100)
    .optional()
    .meta({
      description: "The owner's names of addresses. A name is written next to its address if it is one word.",
    }),
});

type Parts = {
  readonly tryTransaction: TryTransaction;
  readonly describeTransaction: DescribeTransaction;
  /** Per IP address. */
  readonly triesPerMinute: number;
};

export const tryRoutes = ({
  tryTransaction,
  describeTransaction,
  triesPerMinute,
}: Parts): readonly Route[] => [
  route({
    method: "POST",
    path: "/public/validate",
    summary: "Try a check: does this transaction do what was asked?",
    description:
      "Returns the validator's answer to an intent and a transaction. Nothing is proposed, stored or signed, so the answer is not a " +
      "verdict. A rejected transaction is a 200 whose decision is REJECT.",
    tag: "Try a check",
    auth: open,
    limit: [perIp(triesPerMinute)],
    body: Trial,
    replies: { 200: Report },
    refuses: [tryErrors.unavailable, tryErrors.busy],
    handle: async ({ body }) => ok(await tryTransaction(body), { "Cache-Control": "no-store" }),
  }),
  route({
    method: "POST",
    path: "/public/describe",
    summary: "Describe a transaction as a request",
    description:
      "Returns the sentence that asks for exactly this transaction, so that an agent can show it to its user, have it signed and " +
      "propose with it. A transaction that cannot be described is a 200 whose request is null, with the reason. Nothing is stored, and " +
      "a description is not a verdict.",
    tag: "Try a check",
    auth: open,
    limit: [perIp(triesPerMinute)],
    body: ToDescribe,
    replies: { 200: Description },
    refuses: [tryErrors.unavailable, tryErrors.busy],
    handle: async ({ body }) => ok(await describeTransaction(body), { "Cache-Control": "no-store" }),
  }),
];
