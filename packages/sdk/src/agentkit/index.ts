// The public API of `@countersign/sdk/agentkit`, for Coinbase AgentKit.
export type { EvmWallet, NodeClient } from "./evm-wallet.ts";
export { guardWalletProvider } from "./guard-wallet-provider.ts";
export type { ApprovalOptions } from "../guard/approval-options.ts";
export type { GuardOptions } from "../guard/guard-options.ts";
export { findNotApproved, isNotApproved, NotApprovedError } from "../guard/not-approved.ts";
