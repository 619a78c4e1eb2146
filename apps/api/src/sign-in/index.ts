export { type JwtCaller } from "./authenticate.ts";
export { bearerTokenIn } from "./bearer.ts";
export { jwt } from "./routes.ts";
export { makeSignedTokens, type TokenSigning } from "./signed-tokens.ts";
export { makeTokenKey, tokenKeyPurpose, type TokenKeys } from "./token-keys.ts";
