import { defineErrors } from "@countersign/platform/errors";

/** The codes keep the prefix under which they were published. */
export const userErrors = defineErrors("accounts", {
  pgpNotTaken: {
    status: 400,
    message:
      "pgpPublicKey is not accepted here: register it with the owner's signature at POST /user-api-keys/register",
  },
  notYours: { status: 403, message: "Only the address itself or a server key may create this user" },
  notFound: { status: 404, message: "User not found" },
  exists: { status: 409, message: "A user with this address already exists" },
});
