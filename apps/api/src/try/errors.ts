import { defineErrors } from "@countersign/platform/errors";

export const tryErrors = defineErrors("try", {
  unavailable: { status: 503, message: "The validator did not answer. Try again." },
  busy: { status: 503, message: "Too many requests are being checked. Try again in a second." },
});
