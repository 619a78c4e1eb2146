import { ValidatorBusy, type Question, type Report, type Validator } from "../adapters/validator/index.ts";
import { tryErrors } from "./errors.ts";

export type TryTransaction = (question: Question) => Promise<Report>;

/** Asks the validator about a transaction that was not proposed. Nothing is stored. */
export const makeTryTransaction =
  ({ validator }: { readonly validator: Validator }): TryTransaction =>
  async (question) => {
    try {
      return await validator.check(question);
    } catch (cause) {
      if (cause instanceof ValidatorBusy) throw tryErrors.busy({ cause, headers: { "Retry-After": "1" } });
      throw tryErrors.unavailable({ cause });
    }
  };
