// The public API of `@countersign/sdk/langchain`.
export { walletTools } from "./wallet-tools.ts";
export type { ApprovalOptions } from "../guard/approval-options.ts";
export type { GuardOptions } from "../guard/guard-options.ts";
export type { ToolWallet, WalletToolResult } from "../tools/wallet-tools.ts";
