import {
  ValidatorBusy,
  type Description,
  type Question,
  type Report,
  type ToDescribe,
  type Validator,
} from "../adapters/validator/index.ts";
import { tryErrors } from "./errors.ts";

export type TryTransaction = (question: Question) => Promise<Report>;
export type DescribeTransaction = (transaction: ToDescribe) => Promise<Description>;

type Parts = { readonly validator: Validator };

/** Asks the validator about a transaction that was not proposed. Nothing is stored. */
export const makeTryTransaction =
  ({ validator }: Parts): TryTransaction =>
  (question) =>
    withTryErrors(() => validator.check(question));

/** Asks the validator to describe a transaction that was not proposed. Nothing is stored. */
export const makeDescribeTransaction =
  ({ validator }: Parts): DescribeTransaction =>
  (transaction) =>
    withTryErrors(() => validator.describe(transaction));

async function withTryErrors<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (cause) {
    if (cause instanceof ValidatorBusy) throw tryErrors.busy({ cause, headers: { "Retry-After": "1" } });
    throw tryErrors.unavailable({ cause });
  }
}
