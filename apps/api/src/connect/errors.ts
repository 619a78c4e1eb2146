import { defineErrors } from "@countersign/platform/errors";

export const connectErrors = defineErrors("connect", {
  notPending: { status: 400, message: "The connection code is not pending" },
  /** Also for a malformed code and for one sent without its verifier, so that guessing reveals nothing. */
  notFound: { status: 404, message: "Connection code not found" },
  gone: { status: 410, message: "The connection code has expired or was already used" },
});
