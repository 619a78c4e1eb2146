// The public API of `@countersign/sdk/viem`.
export {
  decideBySignature,
  decisionMessage,
  type DecideBySignatureOptions,
  type Decision,
  type DecisionMessage,
  type DecisionMessageOptions,
} from "./decide-by-signature.ts";
export { guard } from "./guard.ts";
export {
  guardSmartAccount,
  type GuardedSmartAccount,
  type SmartAccountOptions,
} from "./guard-smart-account.ts";
export type { FreshOptions } from "../fresh/fresh-options.ts";
export { StateChangedError } from "../fresh/state-changed.ts";
export type { ApprovalOptions } from "../guard/approval-options.ts";
export type { GuardOptions } from "../guard/guard-options.ts";
export { findNotApproved, isNotApproved, NotApprovedError } from "../guard/not-approved.ts";
export { updateSettingsBySignature, type UpdateSettingsBySignatureOptions } from "./settings-by-signature.ts";
export { signIn, type SignInOptions } from "./sign-in.ts";
export { signMandate, type SignMandateOptions } from "./sign-mandate.ts";
export { signPolicy, type SignPolicyOptions } from "./sign-policy.ts";
export { signWords, type SignWordsOptions } from "./sign-words.ts";
export type { RequestMessage } from "./signed-request.ts";
export type { Wallet } from "./signer.ts";
