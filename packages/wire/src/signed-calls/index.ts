// The calls that a signature allows. An entry of its own, so that the pages do not load it.
export { isMultiSend, readMultiSend, type PackedCall } from "./multi-send.ts";
export { signedCalls, type SignedCalls } from "./signed-calls.ts";
export { userOperationCall } from "./user-operation-call.ts";
