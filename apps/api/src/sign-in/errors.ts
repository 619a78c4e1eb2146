import { defineErrors } from "@countersign/platform/errors";

export const signInErrors = defineErrors("sign-in", {
  malformedMessage: { status: 400, message: "The message is not a valid ERC-4361 sign-in message" },
  /** One message for every cause: naming the failed check would help an attacker. */
  refused: { status: 401, message: "Sign-in failed" },
  refreshRefused: { status: 401, message: "The refresh token is not valid" },
  noSuchSession: { status: 404, message: "Session not found" },
  walletUnavailable: { status: 503, message: "The wallet's chain did not answer. Try again." },
});
