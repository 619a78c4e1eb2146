export { settle as settleBudget } from "./store/budgets.ts";
export { grantWithin } from "./store/grant.ts";
export { lockLedger } from "./store/ledger.ts";
