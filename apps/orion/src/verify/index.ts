export { makeVerifyFlow, verifyFlowName } from "./flow.ts";
export { makeVerifyAndPost } from "./verify-and-post.ts";
export { makeFormOpinion } from "./opinion.ts";
