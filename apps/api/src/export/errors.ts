import { defineErrors } from "@countersign/platform/errors";

export const exportErrors = defineErrors("export", {
  underWay: { status: 409, message: "Another export of this account is being sent. Wait until it ends." },
});
