// Worker that verifies a receipt.
import type { Receipt } from "@countersign/sdk";
import { verifyReceipt, type Trust } from "@countersign/sdk/receipt";

export type Question = { readonly receipt: Receipt; readonly trust: Trust };

addEventListener("message", ({ data: { receipt, trust } }: MessageEvent<Question>) => {
  // Never rejects, for any input.
  void verifyReceipt(receipt, trust).then((verification) => {
    postMessage(verification);
  });
});
