export { makeAnswerCosigner } from "./answer-cosigner.ts";
export { makeCallbackKey } from "./callback-key.ts";
export { cosignErrors } from "./errors.ts";
export { makeCheckProposal } from "./check-proposal.ts";
