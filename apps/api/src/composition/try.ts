// Composition of the public endpoints that check and describe transactions without an account.
import type { Route } from "@countersign/platform/http";
import { makeValidator } from "../adapters/validator/index.ts";
import type { Config } from "../config.ts";
import { tryRoutes } from "../try/routes.ts";
import { makeDescribeTransaction, makeTryTransaction } from "../try/try-transaction.ts";

export const makeTry = ({ config }: { readonly config: Config }): { readonly routes: readonly Route[] } => {
  const validator = makeValidator({ url: config.VALIDATOR_URL });
  return {
    routes: tryRoutes({
      tryTransaction: makeTryTransaction({ validator }),
      describeTransaction: makeDescribeTransaction({ validator }),
      triesPerMinute: config.TRY_PER_MINUTE_PER_IP,
    }),
  };
};
