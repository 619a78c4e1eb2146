export { makeLocalKek, type Keks } from "@countersign/platform/secrets";
export { loadKeks } from "./load-keks.ts";
export { makeSecretStore, type SecretStore } from "./store.ts";
