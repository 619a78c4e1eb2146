export { aesKeyText, makeLocalKek, type Keks } from "./key-encryption-key.ts";
export { loadKeks } from "./load-keks.ts";
export { makeSecretStore, type SecretStore } from "./store.ts";
