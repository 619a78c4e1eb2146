/** Reads the text of a request into a Proposal. */
export { fromCloneable, isPlainJson, toCloneable } from "./cloneable.ts";
export { parseLossless } from "./lossless-json.ts";
export { readRequest } from "./read-request.ts";
export { DescribeRequest, ValidateRequest } from "./schema.ts";
