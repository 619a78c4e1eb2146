import { defineErrors } from "@countersign/platform/errors";

export const cosignErrors = defineErrors("cosigner", {
  malformed: { status: 400, message: "The token holds no question about a transaction" },
  unproven: {
    status: 401,
    message: "The token is not a fresh one that this integration's co-signer has signed with RS256",
  },
  noIntegration: { status: 404, message: "No active integration has this id" },
});
