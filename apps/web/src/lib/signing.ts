// Re-exports the signing functions, so that importing this chunk does not load the rest of the SDK.
export {
  decideBySignature,
  decisionMessage,
  signIn,
  signMandate,
  updateSettingsBySignature,
} from "@countersign/sdk/viem";
