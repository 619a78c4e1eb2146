import { defineErrors } from "@countersign/platform/errors";

export const quorumErrors = defineErrors("quorums", {
  refused: { status: 400, message: "The wallet provider does not take this quorum" },
  /** Also for a wallet that is another account's: nobody learns whose. */
  notYourWallet: {
    status: 403,
    message:
      "The wallet is not this account's: walletSignature must be the wallet's, over the account's address",
  },
  onlyForServers: { status: 403, message: "Only for the owner, signed in, and for server keys" },
  noSuchQuorum: { status: 404, message: "There is no such quorum" },
  noSuchAccount: { status: 404, message: "User not found" },
  unavailable: {
    status: 503,
    message: "The wallet provider could not be asked, so nothing was changed; try again",
  },
  walletUnavailable: { status: 503, message: "The wallet's chain could not be asked; try again" },
});
