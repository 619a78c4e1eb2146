export { makeVerifyFlow, verifyFlowName } from "./flow.ts";
export { makeJudge } from "./judge.ts";
export { makeFormOpinion } from "./opinion.ts";
