// One question to a validator, which keeps nothing and knows nobody.
import type { PostValidateData } from "./generated/validator.ts";
import { makeHttp, type HttpOptions } from "./http.ts";
import type { Call, Report } from "./types.ts";

export type Validation = {
  /** The person's own words. */
  readonly intent: string;
  readonly tx: Call;
  /** What the caller knows: at least `from` and `chain_id` make for a better answer. */
  readonly metadata?: NonNullable<PostValidateData["body"]["metadata"]>;
};

export type ValidateOptions = Omit<HttpOptions, "credential"> & { readonly signal?: AbortSignal };

export async function validate(validation: Validation, options: ValidateOptions): Promise<Report> {
  const { intent, tx, metadata } = validation;
  const { body } = await makeHttp(options)<Report>("/validate", {
    // It keeps nothing, so a second question is as good as the first.
    ...{ method: "POST", isRepeatable: true, signal: options.signal },
    body: {
      human_intent: intent,
      proposed_tx: { to: tx.to, value: (tx.value ?? 0n).toString(), data: tx.data ?? "0x" },
      ...(metadata === undefined ? {} : { metadata }),
    },
  });
  return body;
}
