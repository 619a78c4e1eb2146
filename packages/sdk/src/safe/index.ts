// The public API of `@countersign/sdk/safe`.
export { guardSafe, type ProtocolKit } from "./guard-safe.ts";
export type { SafeOptions, SafeTx } from "./safe-options.ts";
export type { ApprovalOptions } from "../guard/approval-options.ts";
export { findNotApproved, isNotApproved, NotApprovedError } from "../guard/not-approved.ts";
