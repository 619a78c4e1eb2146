export { ProviderRefused } from "./call.ts";
export { makeWalletProvider, type WalletProvider } from "./wallet-provider.ts";
