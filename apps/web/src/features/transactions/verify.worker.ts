// Beside the page: checks the receipt that it is sent, and answers.
import type { Receipt } from "@countersign/sdk";
import { verifyReceipt, type Trust } from "@countersign/sdk/receipt";

export type Question = { readonly receipt: Receipt; readonly trust: Trust };

addEventListener("message", ({ data: { receipt, trust } }: MessageEvent<Question>) => {
  // Never rejects, whatever it is given.
  void verifyReceipt(receipt, trust).then((verification) => {
    postMessage(verification);
  });
});
