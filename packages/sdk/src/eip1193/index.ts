// The public API of `@countersign/sdk/eip1193`.
export type { BareProvider } from "./bare-provider.ts";
export { guardProvider, type GuardedProvider } from "./guard-provider.ts";
export type { ApprovalOptions } from "../guard/approval-options.ts";
export type { GuardOptions } from "../guard/guard-options.ts";
export { findNotApproved, isNotApproved, NotApprovedError } from "../guard/not-approved.ts";
