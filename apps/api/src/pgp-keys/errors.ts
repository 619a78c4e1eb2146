import { defineErrors } from "@countersign/platform/errors";

export const pgpKeyErrors = defineErrors("pgp-keys", {
  malformed: { status: 400, message: "pgpPublicKey must be exactly one armoured OpenPGP public key" },
  private: { status: 400, message: "pgpPublicKey contains a private key. Send only the public key." },
  unusable: {
    status: 400,
    message: "The OpenPGP key cannot be used for encryption: it is expired, revoked or not made for it",
  },
  badSignature: {
    status: 400,
    message: "The signature is not the account's signature over exactly pgpPublicKey",
  },
  walletUnavailable: { status: 503, message: "The wallet's chain did not answer. Try again." },
});
