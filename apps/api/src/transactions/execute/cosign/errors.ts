import { defineErrors } from "@countersign/platform/errors";

export const cosignErrors = defineErrors("cosigner", {
  malformed: { status: 400, message: "The token does not contain a request about a transaction" },
  unproven: {
    status: 401,
    message: "The token is not fresh or not signed with RS256 by this integration's co-signer",
  },
  noIntegration: { status: 404, message: "No active integration has this id" },
});
