import { defineErrors } from "@countersign/platform/errors";

export const idempotencyErrors = defineErrors("idempotency", {
  badKey: { status: 400, message: "Idempotency-Key must be 1 to 255 visible ASCII characters" },
  inFlight: {
    status: 409,
    message: "A request with this Idempotency-Key is in progress. Retry to get its answer.",
  },
  otherRequest: { status: 409, message: "This Idempotency-Key was used for another request" },
});
