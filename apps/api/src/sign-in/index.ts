export { type JwtCaller } from "./authenticate.ts";
export { jwt } from "./routes.ts";
export { makeTokenKey, tokenKeyPurpose } from "./token-keys.ts";
