import { defineErrors } from "@countersign/platform/errors";

export const pgpKeyErrors = defineErrors("pgp-keys", {
  malformed: { status: 400, message: "pgpPublicKey must be exactly one armoured OpenPGP public key" },
  private: { status: 400, message: "pgpPublicKey holds a private key, which must never leave its owner" },
  unusable: {
    status: 400,
    message: "The OpenPGP key cannot be encrypted to: it is expired, revoked or not made for that",
  },
  badSignature: { status: 400, message: "The signature is not the account's over exactly pgpPublicKey" },
  walletUnavailable: { status: 503, message: "The wallet's chain could not be asked; try again" },
});
