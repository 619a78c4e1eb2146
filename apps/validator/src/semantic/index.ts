export { makeSemantic } from "./make-semantic.ts";
