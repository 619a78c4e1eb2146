export { EthereumAddress, identityOf, shown, UserIdentity, type Account } from "./account.ts";
export { makeAccountStore, type AccountStore } from "./store.ts";
