import { defineErrors } from "@countersign/platform/errors";

export const connectErrors = defineErrors("connect", {
  notPending: { status: 400, message: "The connection code is not pending" },
  /** Also for a code that is no code, and for one shown without its verifier: a guess learns nothing. */
  notFound: { status: 404, message: "No such connection code" },
  gone: { status: 410, message: "The connection code has expired or was already used" },
});
