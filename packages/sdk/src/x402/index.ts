// The public API of `@countersign/sdk/x402`.
export { guardPayments, type PaymentSigner } from "./guard-payments.ts";
export type { Payment, PaymentOptions } from "./payment-options.ts";
export type { ApprovalOptions } from "../guard/approval-options.ts";
export { findNotApproved, isNotApproved, NotApprovedError } from "../guard/not-approved.ts";
export type { Wallet } from "../viem/signer.ts";
