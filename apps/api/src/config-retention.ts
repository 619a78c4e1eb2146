// The settings for how long data is kept. To be spread into the schema.
import { wholeNumber } from "@countersign/platform/config";

export const retentionSettings = {
  RETENTION_SESSION_DAYS: wholeNumber()
    .max(36_500)
    .default(90)
    .describe(
      "Days after its end that a sign-in session is kept, with its address and browser. 0 keeps all.",
    ),
  RETENTION_MANDATE_REQUEST_DAYS: wholeNumber()
    .max(36_500)
    .default(90)
    .describe("Days after the owner's answer that an agent's request for a mandate is kept. 0 keeps all."),
  RETENTION_CONTEXT_DAYS: wholeNumber()
    .max(36_500)
    .refine((days) => days === 0 || days >= 30, "must be 0, or at least 30: a verdict may still need it")
    .default(0)
    .describe(
      "Days that the conversation which an agent sent along with a proposal is kept in clear. The encrypted payload keeps its copy. 0 keeps all. At least 30.",
    ),
};
