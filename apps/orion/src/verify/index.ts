export { makeVerifyFlow, verifyFlowName } from "./flow.ts";
export { keyOfGroup, keyOfRoot, makeVerifyGroupFlow, verifyGroupFlowName } from "./group-flow.ts";
export { makeVerifyAndPost } from "./verify-and-post.ts";
export { makeFormOpinion } from "./opinion.ts";
