import { defineErrors } from "@countersign/platform/errors";

export const custodyErrors = defineErrors("custody", {
  notYours: { status: 403, message: "Not authorized for this account's custody configuration" },
  noSuchUser: { status: 404, message: "User not found" },
  noIntegration: { status: 404, message: "No custody integration of this type" },
  exists: {
    status: 409,
    message: "A custody integration of this type already exists. Send recreate to replace it.",
  },
  /** Creating keys is expensive, and the queue is full. */
  busy: { status: 429, message: "Too many keys are being created. Try again shortly." },
});
