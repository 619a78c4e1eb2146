export { EthereumAddress, identityOf, shown, UserIdentity, type Account } from "./account.ts";
export { makeAccountStore, type AccountStore } from "./store.ts";
export { makeWalletStore, type Wallet, type WalletStore } from "./wallets/store.ts";
