export { makeSemantic, type Limits } from "./make-semantic.ts";
