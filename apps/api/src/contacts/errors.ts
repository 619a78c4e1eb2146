import { defineErrors } from "@countersign/platform/errors";
import { contactsAtMost } from "./contact.ts";

export const contactErrors = defineErrors("contacts", {
  notFound: { status: 404, message: "Contact not found" },
  nameTaken: { status: 409, message: "Another contact has this name" },
  tooMany: {
    status: 409,
    message: `The address book has ${contactsAtMost.toLocaleString("en")} contacts. Delete one first.`,
  },
});
