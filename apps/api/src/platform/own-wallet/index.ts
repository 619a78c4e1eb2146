export { sendOnce } from "./send-once.ts";
export { makeSignerKey } from "./signer-key.ts";
export { makeOwnTransactionStore, type Claim, type OwnTransactionStore } from "./store.ts";
