import { defineErrors } from "@countersign/platform/errors";

export const signInErrors = defineErrors("sign-in", {
  malformedMessage: { status: 400, message: "The message is not a valid ERC-4361 sign-in message" },
  /** One text for every reason: which check failed would help whoever is guessing. */
  refused: { status: 401, message: "Sign-in failed" },
  refreshRefused: { status: 401, message: "The refresh token is not valid" },
  noSuchSession: { status: 404, message: "No such session" },
  walletUnavailable: { status: 503, message: "The wallet's chain could not be asked; try again" },
});
