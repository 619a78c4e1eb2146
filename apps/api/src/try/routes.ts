import { z } from "zod";
import { ok, open, perIp, route, type Route } from "@countersign/platform/http";
import { EthereumAddress } from "../accounts/index.ts";
import { Report } from "../adapters/validator/index.ts";
import { Calldata, Wei } from "../transactions/index.ts";
import { tryErrors } from "./errors.ts";
import type { TryTransaction } from "./try-transaction.ts";

const Trial = z.strictObject({
  intent: z.string().min(1).max(20_000).meta({ description: "The request in natural language." }),
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
});

type Parts = {
  readonly tryTransaction: TryTransaction;
  /** Per IP address. */
  readonly triesPerMinute: number;
};

export const tryRoutes = ({ tryTransaction, triesPerMinute }: Parts): readonly Route[] => [
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
];
