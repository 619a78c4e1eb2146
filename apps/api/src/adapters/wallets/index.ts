export { contractWalletLimit, limitQuestions, type LimitedWallets } from "./limit-questions.ts";
export { recoverHashSigner, recoverSigner } from "./recover-signer.ts";
export { makeWallets, type SignedText, type Wallets } from "./wallets.ts";
