export { makeSignatureAuthenticator, signature, type SignatureCaller } from "./authenticate.ts";
export { signedText, type SignedRequest } from "./signed-text.ts";
export { makeSignedRequestStore } from "./store.ts";
