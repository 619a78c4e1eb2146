import { defineErrors } from "@countersign/platform/errors";

export const directoryErrors = defineErrors("directory", {
  badCursor: { status: 400, message: "cursor must come from the Link header of an earlier answer" },
  noSuchService: { status: 404, message: "Verification service not found" },
  noSuchAgent: { status: 404, message: "Agent not found" },
  /** Also for another account's transaction, so that the answer does not reveal it. */
  noSuchTransaction: { status: 404, message: "Transaction not found" },
});
