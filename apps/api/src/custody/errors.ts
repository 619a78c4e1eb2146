import { defineErrors } from "@countersign/platform/errors";

export const custodyErrors = defineErrors("custody", {
  notYours: { status: 403, message: "Not authorized for this account's custody configuration" },
  noSuchUser: { status: 404, message: "User not found" },
  noIntegration: { status: 404, message: "There is no custody integration of this type" },
  exists: {
    status: 409,
    message: "There is a custody integration of this type already; send recreate to replace it",
  },
  /** Keys are costly to make, and more of them wait to be made than we would do in good time. */
  busy: { status: 429, message: "Too many keys are being made at the moment, try again shortly" },
});
