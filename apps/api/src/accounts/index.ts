export { EthereumAddress, identityOf, shown, UserIdentity, type Account, type User } from "./account.ts";
export { rememberAccounts } from "./remember-accounts.ts";
export { makeAccountStore, type AccountStore, type Within } from "./store.ts";
export { makeWalletStore, type Wallet, type WalletStore } from "./wallets/store.ts";
