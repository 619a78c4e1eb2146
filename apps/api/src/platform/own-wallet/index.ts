export { sendOnce } from "./send-once.ts";
export { describeSigner, makeOwnSigner, type WalletRole } from "./own-signer.ts";
export { makeOwnTransactionStore, type Claim, type OwnTransactionStore } from "./store.ts";
