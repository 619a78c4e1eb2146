import { defineErrors } from "@countersign/platform/errors";

export const settingsErrors = defineErrors("settings", {
  otherType: { status: 400, message: "executionType in the query must equal the body's" },
  notYours: { status: 403, message: "Not authorized for this account's settings" },
  noSuchUser: { status: 404, message: "User not found" },
});
