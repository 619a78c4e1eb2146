// Calls a validator, which is stateless and needs no credential.
import type { PostValidateData } from "./generated/validator.ts";
import { makeHttp, type ConnectionOptions } from "./http.ts";
import type { Call, Report } from "./types.ts";

/** A request and the transaction to compare it with. */
export type Validation = {
  /** The user's request, unchanged. */
  readonly intent: string;
  readonly tx: Call;
  /** Context for the checks. Send at least `from` and `chain_id`. */
  readonly metadata?: NonNullable<PostValidateData["body"]["metadata"]>;
};

/** Options of `validate`. `url` is the address of the validator. */
export type ValidateOptions = ConnectionOptions & { readonly signal?: AbortSignal };

/**
 * Compares a request with a transaction and returns the report. Records nothing.
 *
 * @example
 * const report = await validate({ intent: "Send 1 ETH to 0x…", tx: { to, value: 10n ** 18n } }, { url });
 * if (report.decision !== "PASS") console.log(report.reason);
 */
export async function validate(validation: Validation, options: ValidateOptions): Promise<Report> {
  const { intent, tx, metadata } = validation;
  const { body } = await makeHttp(options)<Report>("/validate", {
    // The validator is stateless, so the call is idempotent.
    ...{ method: "POST", isRepeatable: true, signal: options.signal },
    body: {
      human_intent: intent,
      proposed_tx: { to: tx.to, value: (tx.value ?? 0n).toString(), data: tx.data ?? "0x" },
      ...(metadata === undefined ? {} : { metadata }),
    },
  });
  return body;
}
