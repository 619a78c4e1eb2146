import { defineErrors } from "@countersign/platform/errors";

export const validateErrors = defineErrors("validate", {
  busy: { status: 503, message: "Too many requests are being checked. Try again in a second." },
});
