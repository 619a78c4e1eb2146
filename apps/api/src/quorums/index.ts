export { makeFindWalletToSendFrom, makeOpenSender } from "./find-sender.ts";
export { makeFindWalletProvider } from "./find-wallet-provider.ts";
export { makeQuorumStore } from "./store.ts";
