export { connectSigningKey, connectWrappingKey } from "./connect.ts";
export { KeyServiceError } from "./errors.ts";
export type { SigningAccount } from "./kms-account.ts";
export { readWrappingKeyName } from "./key-name.ts";
export type { KmsKey } from "./kms-key.ts";
export { kmsSettings, signingKeyAddress, signingKeyName, type KmsSettings } from "./settings.ts";
