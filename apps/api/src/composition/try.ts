// Composition of the public endpoint that tries a check without an account.
import type { Route } from "@countersign/platform/http";
import { makeValidator } from "../adapters/validator/index.ts";
import type { Config } from "../config.ts";
import { tryRoutes } from "../try/routes.ts";
import { makeTryTransaction } from "../try/try-transaction.ts";

export const makeTry = ({ config }: { readonly config: Config }): { readonly routes: readonly Route[] } => ({
  routes: tryRoutes({
    tryTransaction: makeTryTransaction({ validator: makeValidator({ url: config.VALIDATOR_URL }) }),
    triesPerMinute: config.TRY_PER_MINUTE_PER_IP,
  }),
});
