import { defineErrors } from "@countersign/platform/errors";

export const quorumErrors = defineErrors("quorums", {
  refused: { status: 400, message: "The wallet provider rejected this quorum" },
  /** Also for another account's wallet, so that the answer does not reveal whose it is. */
  notYourWallet: {
    status: 403,
    message:
      "The wallet does not belong to this account: walletSignature must be the wallet's signature over the account's address",
  },
  onlyForServers: { status: 403, message: "Only the signed-in owner and server keys may do this" },
  noSuchQuorum: { status: 404, message: "Quorum not found" },
  noSuchAccount: { status: 404, message: "User not found" },
  unavailable: {
    status: 503,
    message: "The wallet provider did not answer, so nothing was changed. Try again.",
  },
  walletUnavailable: { status: 503, message: "The wallet's chain did not answer. Try again." },
});
