import { defineErrors } from "@countersign/platform/errors";

export const tryErrors = defineErrors("try", {
  unavailable: { status: 503, message: "The validator could not be asked; try again" },
});
