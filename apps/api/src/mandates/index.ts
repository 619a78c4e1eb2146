export { makeAskForMandate, type AskForMandate } from "./ask.ts";
export { makeMandateRequestStore } from "./store/requests.ts";
export { Draft } from "./terms.ts";
export { RequestView, requestView } from "./views.ts";
export { assetOf, readMoves, type Move } from "./moves.ts";
export { settle as settleBudget } from "./store/budgets.ts";
export { grantWithin } from "./store/grant.ts";
export { lockLedger } from "./store/ledger.ts";
