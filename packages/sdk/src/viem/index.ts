// The public API of `@countersign/sdk/viem`.
export {
  decideBySignature,
  decisionMessage,
  type DecideBySignatureOptions,
  type Decision,
  type DecisionMessage,
  type DecisionMessageOptions,
} from "./decide-by-signature.ts";
export { guard, type GuardOptions } from "./guard.ts";
export { findNotApproved, isNotApproved, NotApprovedError } from "./not-approved.ts";
export { signIn, type SignInOptions } from "./sign-in.ts";
export { signMandate, type SignMandateOptions } from "./sign-mandate.ts";
export { signWords, type SignWordsOptions } from "./sign-words.ts";
export type { Wallet } from "./signer.ts";
