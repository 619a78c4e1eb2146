// The surface of `@countersign/sdk/receipt`. Needs viem. Only `fetchTrust` needs a network, and that once.
export { fetchTrust, type FetchTrustOptions } from "./fetch-trust.ts";
export {
  verifyReceipt,
  type SignedShapeVerdict,
  type SignedTerms,
  type SignedTransactionVerdict,
  type SignedVerdict,
  type Trust,
  type Verification,
} from "./verify-receipt.ts";
