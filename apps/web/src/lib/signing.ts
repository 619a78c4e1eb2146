// What is signed for the service. Named here one by one, so that what fetches this when it is needed does not fetch the rest of
// the SDK with it.
export { decideBySignature, decisionMessage, signIn } from "@countersign/sdk/viem";
