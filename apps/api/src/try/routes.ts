import { z } from "zod";
import { ok, open, perIp, route, type Route } from "@countersign/platform/http";
import { EthereumAddress } from "../accounts/index.ts";
import { Report } from "../adapters/validator/index.ts";
import { Calldata, Wei } from "../transactions/index.ts";
import { tryErrors } from "./errors.ts";
import type { TryTransaction } from "./try-transaction.ts";

const Trial = z.strictObject({
  intent: z.string().min(1).max(20_000).meta({ description: "What was asked for, in words." }),
  tx: z.strictObject({
    to: EthereumAddress,
    value: Wei.default("0").meta({ description: "Wei, in decimal digits." }),
    data: Calldata.default("0x").meta({ description: "At most 64 kB." }),
  }),
  chainId: z
    .int()
    .positive()
    .optional()
    .meta({ description: "Without it the validator assumes a chain, and says so." }),
  from: EthereumAddress.optional().meta({ description: "Who would sign it." }),
});

type Parts = {
  readonly tryTransaction: TryTransaction;
  /** Of one address. */
  readonly triesPerMinute: number;
};

export const tryRoutes = ({ tryTransaction, triesPerMinute }: Parts): readonly Route[] => [
  route({
    method: "POST",
    path: "/public/validate",
    summary: "Try it: does this transaction do what was asked?",
    description:
      "The validator's answer to an intent and a transaction. Nobody proposes it, nothing of it is kept, and it is no verdict: nothing is " +
      "signed. A rejected transaction is a 200 whose decision is REJECT.",
    tag: "Try it",
    auth: open,
    limit: [perIp(triesPerMinute)],
    body: Trial,
    replies: { 200: Report },
    refuses: [tryErrors.unavailable, tryErrors.busy],
    handle: async ({ body }) => ok(await tryTransaction(body), { "Cache-Control": "no-store" }),
  }),
];
