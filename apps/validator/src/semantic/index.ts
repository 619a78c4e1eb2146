export { makeSemantic } from "./make-semantic.ts";
export { makeBudget } from "./throttle.ts";
