import { defineErrors } from "./define-errors.ts";

/** Errors of any service that occur before a slice is called. */
export const requestErrors = defineErrors("request", {
  invalid: { status: 400, message: "The request is not valid" },
  ambiguousCredentials: { status: 400, message: "Send one credential, not several" },
  unauthenticated: { status: 401, message: "Authentication failed or credentials missing" },
  forbidden: { status: 403, message: "Insufficient permission" },
  notFound: { status: 404, message: "No such resource" },
  methodNotAllowed: { status: 405, message: "The method is not allowed here" },
  bodyTooLarge: { status: 413, message: "The request body is too large" },
  unsupportedMediaType: { status: 415, message: "The content type is not supported" },
  tooMany: { status: 429, message: "Too many requests" },
  internal: { status: 500, message: "Internal server error" },
  notReady: { status: 503, message: "The service is not ready" },
});
