import { defineErrors } from "@countersign/platform/errors";

export const apiKeyErrors = defineErrors("api-keys", {
  expiryPast: { status: 400, message: "expiresAt must be in the future" },
  tooMany: { status: 400, message: "Too many active keys" },
  notFound: { status: 404, message: "API key not found" },
});
