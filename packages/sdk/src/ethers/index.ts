// The public API of `@countersign/sdk/ethers`.
export { guardSigner } from "./guard-signer.ts";
export type { ApprovalOptions } from "../guard/approval-options.ts";
export type { GuardOptions } from "../guard/guard-options.ts";
export { findNotApproved, isNotApproved, NotApprovedError } from "../guard/not-approved.ts";
