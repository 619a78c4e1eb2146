// The public API of `@countersign/sdk/rpc`, for programs that hold their own key.
export type { BareProvider } from "../eip1193/bare-provider.ts";
export type { GuardedProvider } from "../eip1193/guard-provider.ts";
export type { ApprovalOptions } from "../guard/approval-options.ts";
export type { GuardOptions } from "../guard/guard-options.ts";
export { findNotApproved, isNotApproved, NotApprovedError } from "../guard/not-approved.ts";
export { guardRpc } from "./guard-rpc.ts";
export type { RpcOptions } from "./rpc-options.ts";
