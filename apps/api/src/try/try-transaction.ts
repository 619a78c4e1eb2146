import type { Question, Report, Validator } from "../adapters/validator/index.ts";
import { tryErrors } from "./errors.ts";

export type TryTransaction = (question: Question) => Promise<Report>;

/** What the validator says of a transaction that nobody proposes. Nothing of it is recorded. */
export const makeTryTransaction =
  ({ validator }: { readonly validator: Validator }): TryTransaction =>
  async (question) => {
    try {
      return await validator.judge(question);
    } catch (cause) {
      throw tryErrors.unavailable({ cause });
    }
  };
