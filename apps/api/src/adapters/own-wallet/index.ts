export { makeOwnWallet, type Outcome, type OwnWallet } from "./own-wallet.ts";
export type { Plan } from "./plan-call.ts";
