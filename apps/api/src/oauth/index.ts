export { oauth, type OAuthCaller } from "./authenticate.ts";
export { allScopes } from "./scopes.ts";
