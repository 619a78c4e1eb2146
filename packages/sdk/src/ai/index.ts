// The public API of `@countersign/sdk/ai`, for the AI SDK.
export { walletTools } from "./wallet-tools.ts";
export type { ApprovalOptions } from "../guard/approval-options.ts";
export type { GuardOptions } from "../guard/guard-options.ts";
export type { ToolWallet, WalletToolResult } from "../tools/wallet-tools.ts";
