export { isKeyLabel, labels, type ApiKey } from "./api-key.ts";
export { makeKeyAuthenticator, type KeyCaller } from "./authenticate.ts";
export { apiKeyErrors } from "./errors.ts";
export { isOwnerOrServer } from "./is-owner-or-server.ts";
export { makeIssueKey, type IssueKey } from "./issue-key.ts";
export { keyFromBytes, type KeyEnvironment } from "./key-format.ts";
export { adminKey, apiKey, ListedKey, makeListKeys } from "./routes.ts";
export { isServerKey, isServerKeyType } from "./server-keys.ts";
export { makeApiKeyStore, type ApiKeyStore, type NewApiKey } from "./store.ts";
